package dev.latchkey.core.spi;

/**
 * The store is broken or out of reach. Carries no stack trace: what an outage causes is told in one
 * line.
 */
public final class StoreException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** Whether the failed call may have changed anything. */
  public enum Outcome {
    /** Certainly not: it never left, or the store refused it whole. */
    NOT_DONE,
    /** Nobody knows: it left, and its answer did not come. */
    UNKNOWN
  }

  private final Outcome outcome;

  /**
   * Describes a failed call.
   *
   * @param outcome whether it may have taken effect
   * @param message names the operation and the reason, no keys and no secrets
   * @param cause what the driver said
   */
  public StoreException(Outcome outcome, String message, Throwable cause) {
    super(message, cause, false, false);
    this.outcome = outcome;
  }

  /**
   * Describes a failed call that no other failure caused.
   *
   * @param outcome whether it may have taken effect
   * @param message names the operation and the reason, no keys and no secrets
   */
  public StoreException(Outcome outcome, String message) {
    super(message, null, false, false);
    this.outcome = outcome;
  }

  /** Whether the failed call may have changed anything. */
  public Outcome outcome() {
    return outcome;
  }
}
