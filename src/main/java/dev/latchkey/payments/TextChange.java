package dev.latchkey.payments;

import java.util.Optional;

/** What a merge patch (RFC 7396) says about an optional text. */
sealed interface TextChange {

  /** Nothing. */
  record Keep() implements TextChange {}

  /**
   * It is to be this.
   *
   * @param text empty for null, which clears it
   */
  record Become(Optional<String> text) implements TextChange {}

  /** What becomes of a text. */
  default Optional<String> over(Optional<String> known) {
    return this instanceof Become become ? become.text() : known;
  }
}
