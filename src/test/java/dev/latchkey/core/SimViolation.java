package dev.latchkey.core;

/** A promise was broken in a simulated history. */
final class SimViolation extends AssertionError {

  private static final long serialVersionUID = 1L;

  SimViolation(String what) {
    super(what);
  }

  /** The broken promise without names: equal for histories that break the same promise. */
  static String promise(Throwable broken) {
    return String.valueOf(broken.getMessage())
        .replaceAll("\\(key.*?\\)", "")
        .replaceAll("[A-E](-\\d+)?\\b", "")
        .replaceAll("[0-9a-f]{9,}|\\d+", "");
  }
}
