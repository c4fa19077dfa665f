package dev.latchkey.core.spi;

/**
 * The store is broken or unreachable. Has no stack trace, so that an outage logs one line per
 * failure.
 */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Whether the failed call may have taken effect. */
  public enum Outcome {
    /** It had no effect: it was not sent, or the store rejected it. */
    NOT_DONE,
    /** Unknown: it was sent and the store did not reply. */
    UNKNOWN
  }

  private final Outcome outcome;

  /**
   * Makes an exception with a cause.
   *
   * @param outcome whether the call may have taken effect
   * @param message the operation and the reason, without keys or secrets
   * @param cause the failure of the driver
   */
  public StoreException(Outcome outcome, String message, Throwable cause) {
    super(message, cause, false, false);
    this.outcome = outcome;
  }

  /**
   * Makes an exception without a cause.
   *
   * @param outcome whether the call may have taken effect
   * @param message the operation and the reason, without keys or secrets
   */
  public StoreException(Outcome outcome, String message) {
    super(message, null, false, false);
    this.outcome = outcome;
  }

  /** Returns whether the failed call may have taken effect. */
  public Outcome outcome() {
    return outcome;
  }
}
