package dev.latchkey.ledger;

import java.util.Locale;

/** Where a payment stands. */
public enum PaymentStatus {
  /** Authorised; no money was taken yet. */
  REQUIRES_CAPTURE,
  /** Captured, nothing given back. */
  SUCCEEDED,
  /** Given back before it was captured; final. */
  CANCELED,
  /** A part of what was captured was given back. */
  PARTIALLY_REFUNDED,
  /** All that was captured was given back; final. */
  REFUNDED;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** Returns the status as clients read it, such as {@code requires_capture}. */
  public String text() {
    return text;
  }
}
