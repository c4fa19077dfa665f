package dev.latchkey.payments;

import java.util.ArrayList;
import java.util.List;

/** Collects the errors of one request, up to a limit. */
final class FieldErrors {

  /** Most errors in one response. */
  static final int MAX = 20;

  private final List<FieldError> errors = new ArrayList<>();

  void add(String pointer, String detail) {
    if (errors.size() < MAX) {
      errors.add(new FieldError(pointer, detail));
    }
  }

  /**
   * Throws if there is an error.
   *
   * @throws InvalidRequestException with the errors
   */
  void check() {
    if (!errors.isEmpty()) {
      throw new InvalidRequestException(errors);
    }
  }
}
