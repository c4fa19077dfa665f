package dev.latchkey.http;

import dev.latchkey.testing.Await;
import java.util.List;
import java.util.stream.Stream;

/** Situations of a request that comes again while the first is in flight. */
final class Parkings {

  private Parkings() {}

  static Answer parked(Scene scene) {
    return wakes(scene, "pm_card_visa", scene.node(), null);
  }

  static Answer parkedOnAnotherNode(Scene scene) {
    return wakes(scene, "pm_card_visa", scene.node(), scene.node());
  }

  static Answer notRetained(Scene scene) {
    return wakes(scene, "pm_card_visa", scene.node("--max-response", "64"), null);
  }

  static Answer notStored(Scene scene) {
    return wakes(scene, "pm_psp_unavailable", scene.node(), null);
  }

  static Answer notStoredOnAnotherNode(Scene scene) {
    return wakes(scene, "pm_psp_unavailable", scene.node(), scene.node());
  }

  private static Answer wakes(Scene scene, String paymentMethod, Node owner, Node another) {
    Node parking = another == null ? owner : another;
    owner.psp().hold();
    Call.Sent first = owner.pay().key(scene.key()).by(paymentMethod).begin();
    owner.psp().awaitHeld(1);
    Call.Sent duplicate = parking.pay().key(scene.key()).by(paymentMethod).begin();
    parking.awaitParked(1);
    if (another != null) {
      scene.awaitWatched();
    }
    scene.settle(owner, parking);
    first.answer();
    return duplicate.answer();
  }

  /** Of two that wait, the answer of the one that takes over or of the other. */
  static Answer ownerDies(Scene scene, boolean other) {
    Node owner = scene.node("--lease", "300ms");
    owner.psp().hold();
    owner.pay().key(scene.key()).begin();
    owner.psp().awaitHeld(1);
    owner.cutOff();
    Node heir = scene.node();
    List<Call.Sent> waiting =
        Stream.generate(() -> heir.pay().key(scene.key()).begin()).limit(2).toList();
    List<Answer> answers = waiting.stream().map(Call.Sent::answer).toList();
    return answers.stream().filter(it -> it.isReplayed() == other).findFirst().orElseThrow();
  }

  static Answer tooLong(Scene scene) {
    return impatient(scene, scene.node("--wait", "50ms"), "");
  }

  static Answer willNotWait(Scene scene) {
    return impatient(scene, scene.node(), "wait=0");
  }

  private static Answer impatient(Scene scene, Node node, String preference) {
    node.psp().hold();
    Call.Sent first = node.pay().key(scene.key()).begin();
    node.psp().awaitHeld(1);
    Call hasty = node.pay().key(scene.key());
    Answer answer = (preference.isEmpty() ? hasty : hasty.header("Prefer", preference)).send();
    scene.settle(node);
    first.answer().expect(201);
    return answer;
  }

  static Answer noRoom(Scene scene, String bound) {
    Node node = scene.node(bound, "1");
    node.psp().hold();
    Call.Sent first = node.pay().key(scene.key()).begin();
    node.psp().awaitHeld(1);
    Call.Sent duplicate = node.pay().key(scene.key()).begin();
    node.awaitParked(1);
    Answer answer = node.pay().key(scene.key()).send();
    scene.settle(node);
    first.answer().expect(201);
    duplicate.answer().expect(201);
    return answer;
  }

  static Answer whileItsNodeDrains(Scene scene) {
    Node owner = scene.node();
    Node leaving = scene.node();
    owner.psp().hold();
    Call.Sent first = owner.pay().key(scene.key()).begin();
    owner.psp().awaitHeld(1);
    Call.Sent duplicate = leaving.pay().key(scene.key()).begin();
    leaving.awaitParked(1);
    scene.awaitWatched();
    leaving.service().server().drain(Await.LIMIT_MILLIS);
    Answer answer = duplicate.answer();
    scene.settle(owner);
    first.answer().expect(201);
    return answer;
  }
}
