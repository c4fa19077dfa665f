package dev.latchkey.load;

/** What can be wrong with a run; any one of them makes the verdict "violated". */
enum Fault {
  RAN_AGAIN("keys had more than one effect"),
  NO_EFFECT("keys had no effect, or half of one"),
  ANSWERS_DIFFER("keys were given answers that differ"),
  TWO_FIRST_ANSWERS("keys had more than one answer that is not marked as replayed"),
  ANSWER_LOST("keys were answered with a payment that is not there"),
  REFUSED("requests were refused for good"),
  UNANSWERED("requests were never answered"),
  NOT_AUDITED("keys could not be audited"),
  OTHER_CONTENT("payments are of another amount or currency than was sent"),
  NOT_SUCCEEDED("payments are listed as something else than succeeded"),
  LISTED_OTHERWISE("payments are listed otherwise than they were answered"),
  SHARED_CHARGE("keys share the charge of another"),
  PSP_COUNT("counts of the PSP do not fit the keys"),
  PSP_CHARGE("charges are not at the PSP as they should be");

  private final String text;

  Fault(String text) {
    this.text = text;
  }

  /** Follows a count, plain English. */
  String text() {
    return text;
  }
}
