package dev.latchkey.http;

import dev.latchkey.store.StoreFault;
import dev.latchkey.store.StoreOperation;

/** Situations of a request that comes again after the first has ended. */
final class Retries {

  private Retries() {}

  static Answer again(Node node, String key, String paymentMethod) {
    Call call = node.pay().key(key).by(paymentMethod);
    call.send();
    return call.send();
  }

  static Answer onAnotherNode(Scene scene) {
    scene.node().pay().key(scene.key()).send().expect(201);
    return scene.node().pay().key(scene.key()).send();
  }

  static Answer withoutTheStore(Scene scene) {
    Node node = scene.node();
    node.pay().key(scene.key()).send().expect(201);
    node.storeAway();
    return node.pay().key(scene.key()).send();
  }

  static Answer whileTheStoreIsLost(Scene scene) {
    Node node = scene.node();
    node.answersLost(StoreOperation.COMPLETE);
    node.pay().key(scene.key()).begin();
    // The second call shows that the node did not take the first for done.
    node.awaitCalls(StoreOperation.COMPLETE, 2);
    Call.Sent retry = node.pay().key(scene.key()).begin();
    node.awaitParked(1);
    node.store().plan((operation, number) -> StoreFault.NONE);
    return retry.answer();
  }
}
