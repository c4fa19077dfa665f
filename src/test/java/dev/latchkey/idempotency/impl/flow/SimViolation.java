package dev.latchkey.idempotency.impl.flow;

/** A promise of the control flow was broken in a simulated history. */
final class SimViolation extends AssertionError {

  private static final long serialVersionUID = 1L;

  SimViolation(String what) {
    super(what);
  }
}
