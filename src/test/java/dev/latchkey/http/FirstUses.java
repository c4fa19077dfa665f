package dev.latchkey.http;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.store.StoreFault;
import dev.latchkey.store.StoreOperation;
import java.util.List;

/** Situations of a request that is the first with its key. */
final class FirstUses {

  private FirstUses() {}

  static Answer answeredOnceStored(Scene scene) {
    Node node = scene.node();
    Answer answer = node.pay().key(scene.key()).send();
    assertCompleted(scene);
    return answer;
  }

  private static void assertCompleted(Scene scene) {
    assertThat(await(scene.bareStore().records("default", scene.key(), 1)))
        .as("what the store keeps by the time of the answer")
        .extracting(KeyRecord::phase)
        .isEqualTo(List.of(Phase.COMPLETED));
  }

  static Answer noRoomToRun(Scene scene) {
    Node node = scene.node("--max-running", "1");
    node.psp().hold();
    Call.Sent running = node.pay().key(Scene.newKey()).begin();
    node.psp().awaitHeld(1);
    Answer answer = node.pay().key(scene.key()).send();
    scene.settle(node);
    running.answer().expect(201);
    return answer;
  }

  static Answer tooLargeToKeep(Scene scene) {
    Answer answer = scene.node("--max-response", "64").pay().key(scene.key()).send();
    assertThat(answer.json().getInteger("amount")).isEqualTo(1000);
    assertCompleted(scene);
    return answer;
  }

  static Answer ledgerAway(Scene scene) {
    Node node = scene.node();
    scene.ledger().away(true);
    return node.post("/v1/payments/pay_1/capture").key(scene.key()).send();
  }

  static Answer storeAway(Scene scene) {
    Node node = scene.node();
    node.storeAway();
    return node.pay().key(scene.key()).send();
  }

  static Answer storeLostWhileRunning(Scene scene) {
    Node node = scene.node();
    node.answersLost(StoreOperation.COMPLETE);
    Answer answer = node.pay().key(scene.key()).send();
    node.store().plan((operation, number) -> StoreFault.NONE);
    scene.settle(node);
    assertThat(node.pay().key(scene.key()).send().expect(201).isReplayed()).isTrue();
    return answer;
  }

  static Answer runsTooLong(Scene scene) {
    Node node = scene.node("--run-limit", "300ms");
    node.psp().hold();
    Answer answer = node.pay().key(scene.key()).send();
    scene.settle(node);
    return answer;
  }
}
