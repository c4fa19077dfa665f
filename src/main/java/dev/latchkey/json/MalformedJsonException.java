package dev.latchkey.json;

/** Thrown for a text that is not strict JSON. Has no stack trace: the client caused it. */
public final class MalformedJsonException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String pointer;

  MalformedJsonException(String pointer, String detail) {
    super(detail, null, false, false);
    this.pointer = pointer;
  }

  /**
   * Returns a JSON Pointer (RFC 6901) to the error, or to a value around it if the place has no
   * short and printable pointer. Empty for the whole document, and for a syntax error.
   */
  public String pointer() {
    return pointer;
  }

  /** Returns what is wrong. Never quotes the document. */
  public String detail() {
    return String.valueOf(getMessage());
  }
}
