package dev.latchkey.psp.simulator;

import org.jspecify.annotations.Nullable;

/** A change that the merchant did not request, in the form of its JSON. */
record SimulatorEvent(String id, String type, String createdAt, Data data) {
  static final String REFUNDED = "charge.refunded";
  static final String DISPUTED = "charge.disputed";

  /** The charge, and the amount of a refund. */
  record Data(String charge, @Nullable Long amount) {}
}
