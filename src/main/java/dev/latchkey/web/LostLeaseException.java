package dev.latchkey.web;

/**
 * The claim under which a handler works is no longer its own: another attempt has taken over. The
 * handler should stop; whatever it answers is replaced by what becomes of the key.
 */
public final class LostLeaseException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Names the step at which it was noticed.
   *
   * @param step the step's name
   */
  public LostLeaseException(String step) {
    super("step " + step + ": the lease was lost, another attempt goes on", null, false, false);
  }
}
