package dev.latchkey.http;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.testing.Await;

/** Situations of a request whose key names another one. */
final class Others {

  private Others() {}

  static Answer after(Scene scene, String paymentMethod) {
    Node node = scene.node();
    node.pay().key(scene.key()).by(paymentMethod).send();
    return node.pay().key(scene.key()).of(2000).send();
  }

  static Answer running(Scene scene) {
    return whileRunning(scene, scene.node(), null);
  }

  static Answer runningOnAnotherNode(Scene scene) {
    return whileRunning(scene, scene.node(), scene.node());
  }

  /** The answer comes while the first request runs: nothing lets that one go before. */
  private static Answer whileRunning(Scene scene, Node owner, Node another) {
    owner.psp().hold();
    Call.Sent first = owner.pay().key(scene.key()).begin();
    owner.psp().awaitHeld(1);
    Node asked = another == null ? owner : another;
    Answer answer = asked.pay().key(scene.key()).of(2000).send();
    scene.settle(owner);
    first.answer().expect(201);
    return answer;
  }

  static Answer ofADeadOwner(Scene scene) {
    Node owner = scene.node("--lease", "300ms");
    owner.psp().hold();
    owner.pay().key(scene.key()).begin();
    owner.psp().awaitHeld(1);
    owner.cutOff();
    awaitLapsed(scene);
    return scene.node().pay().key(scene.key()).of(2000).send();
  }

  private static void awaitLapsed(Scene scene) {
    ScopedKey key = new ScopedKey("default", "POST /v1/payments", scene.key());
    Await.until(
        "the lease is over",
        () ->
            await(scene.bareStore().lookup(key)) instanceof KeyState.InProgress owned
                && owned.leaseLeftMillis() == 0);
  }
}
