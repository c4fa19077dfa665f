package dev.latchkey.load;

/** The kinds of violations. Any violation makes the verdict "violated". */
enum Violation {
  EXECUTED_AGAIN("keys had more than one effect"),
  NO_EFFECT("keys had no effect, or half of one"),
  RESPONSES_DIFFER("keys got responses that differ"),
  SEVERAL_FIRST_RESPONSES("keys got more than one response that is not marked as replayed"),
  RESPONSE_LOST("keys got a response with a payment that does not exist"),
  REFUSED("requests were refused for good"),
  UNANSWERED("requests got no final response"),
  NOT_AUDITED("keys could not be audited"),
  OTHER_CONTENT("payments have another amount or currency than was sent"),
  NOT_SUCCEEDED("payments are listed with another status than succeeded"),
  LISTED_DIFFERENTLY("payments are listed differently from the response"),
  SHARED_CHARGE("keys share a charge with another key"),
  PSP_COUNT("counts of the PSP do not match the keys"),
  PSP_CHARGE("charges at the PSP are missing or wrong");

  private final String text;

  Violation(String text) {
    this.text = text;
  }

  /** Returns the description that follows a count. */
  String text() {
    return text;
  }
}
