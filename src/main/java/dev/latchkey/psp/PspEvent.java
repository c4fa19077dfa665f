package dev.latchkey.psp;

import java.util.OptionalLong;

/** Something that happened at the PSP and that the merchant did not ask for. */
record PspEvent(String id, String type, long createdAtMillis, String charge, OptionalLong amount) {
  static final String REFUNDED = "charge.refunded";
  static final String DISPUTED = "charge.disputed";
}
