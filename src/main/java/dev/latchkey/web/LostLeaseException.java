package dev.latchkey.web;

/**
 * Thrown in a handler whose lease was lost because another attempt took over. The handler should
 * stop; its response is replaced by the one of the key.
 */
public final class LostLeaseException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception.
   *
   * @param step the name of the step that could not be recorded
   */
  public LostLeaseException(String step) {
    super("step " + step + ": the lease was lost to another attempt", null, false, false);
  }
}
