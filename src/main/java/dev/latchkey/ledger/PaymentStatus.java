package dev.latchkey.ledger;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The status of a payment. */
public enum PaymentStatus {
  /** Authorised, not captured yet. */
  REQUIRES_CAPTURE,
  /** Captured, nothing refunded. */
  SUCCEEDED,
  /** Canceled before it was captured; final. */
  CANCELED,
  /** A part of the captured amount was refunded. */
  PARTIALLY_REFUNDED,
  /** The whole captured amount was refunded; final. */
  REFUNDED;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** Returns the text of the status in responses, such as {@code requires_capture}. */
  public String text() {
    return text;
  }

  /**
   * Finds a status by its text.
   *
   * @param text as in responses
   * @return the status, if there is one
   */
  public static Optional<PaymentStatus> of(String text) {
    return Stream.of(values()).filter(status -> status.text.equals(text)).findFirst();
  }
}
