package dev.latchkey.http;

import java.util.function.Function;

/** What a caller can be in, and the answer that it gets there. */
enum Situation {
  NO_KEY(scene -> scene.node().pay().send()),
  KEY_MALFORMED(scene -> scene.node().pay().key("a,b").send()),
  KEY_SENT_TWICE(
      scene -> scene.node().pay().key(scene.key()).header("Idempotency-Key", scene.key()).send()),
  FIRST_USE(FirstUses::answeredOnceStored),
  DECLINED(scene -> scene.node().pay().key(scene.key()).by("pm_card_declined").send()),
  NO_SUCH_PAYMENT(
      scene -> scene.node().post("/v1/payments/pay_none/capture").key(scene.key()).send()),
  PSP_UNAVAILABLE(scene -> scene.node().pay().key(scene.key()).by("pm_psp_unavailable").send()),
  NO_ROOM_TO_RUN(FirstUses::noRoomToRun),
  NO_ROOM_TO_KEEP_IT(FirstUses::tooLargeToKeep),
  LEDGER_AWAY(FirstUses::ledgerAway),
  STORE_AWAY(FirstUses::storeAway),
  STORE_LOST_WHILE_RUNNING(FirstUses::storeLostWhileRunning),
  RUNS_TOO_LONG(FirstUses::runsTooLong),

  SAME_FINISHED(scene -> Retries.again(scene.node(), scene.key(), "pm_card_visa")),
  SAME_FINISHED_ELSEWHERE(Retries::onAnotherNode),
  SAME_FINISHED_STORE_AWAY(Retries::withoutTheStore),
  SAME_DECLINED(scene -> Retries.again(scene.node(), scene.key(), "pm_card_declined")),
  SAME_NOT_STORED(scene -> Retries.again(scene.node(), scene.key(), "pm_psp_unavailable")),
  SAME_NOT_RETAINED(
      scene -> Retries.again(scene.node("--max-response", "64"), scene.key(), "pm_card_visa")),
  SAME_WHILE_THE_STORE_IS_LOST(Retries::whileTheStoreIsLost),

  OTHER_RUNNING(Others::running),
  OTHER_RUNNING_ELSEWHERE(Others::runningOnAnotherNode),
  OTHER_FINISHED(scene -> Others.after(scene, "pm_card_visa")),
  OTHER_NOT_STORED(scene -> Others.after(scene, "pm_psp_unavailable")),
  OTHER_OF_A_DEAD_OWNER(Others::ofADeadOwner),

  PARKED(Parkings::parked),
  PARKED_ELSEWHERE(Parkings::parkedOnAnotherNode),
  PARKED_NOT_RETAINED(Parkings::notRetained),
  PARKED_NOT_STORED(Parkings::notStored),
  PARKED_NOT_STORED_ELSEWHERE(Parkings::notStoredOnAnotherNode),
  PARKED_TAKES_OVER(scene -> Parkings.ownerDies(scene, false)),
  PARKED_WHILE_TAKEN_OVER(scene -> Parkings.ownerDies(scene, true)),
  PARKED_TOO_LONG(Parkings::tooLong),
  WILL_NOT_WAIT(Parkings::willNotWait),
  NO_ROOM_FOR_THE_KEY(scene -> Parkings.noRoom(scene, "--max-parked-per-key")),
  NO_ROOM_FOR_THE_TENANT(scene -> Parkings.noRoom(scene, "--max-parked-per-tenant")),
  NO_ROOM_ON_THE_NODE(scene -> Parkings.noRoom(scene, "--max-parked")),
  PARKED_WHILE_ITS_NODE_DRAINS(Parkings::whileItsNodeDrains);

  private final Function<Scene, Answer> play;

  Situation(Function<Scene, Answer> play) {
    this.play = play;
  }

  /** Plays it out on a new scene, to the end of everything that it began. */
  Answer play(Scene scene) {
    return play.apply(scene);
  }
}
