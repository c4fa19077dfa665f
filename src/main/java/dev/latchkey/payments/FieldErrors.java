package dev.latchkey.payments;

import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with one request, up to a bound. */
final class FieldErrors {

  /** Most errors that are told at once. */
  static final int MAX = 20;

  private final List<FieldError> errors = new ArrayList<>();

  void add(String pointer, String detail) {
    if (errors.size() < MAX) {
      errors.add(new FieldError(pointer, detail));
    }
  }

  /** The value when nothing is wrong, else the errors. */
  <T> Checked<T> check(T value) {
    return errors.isEmpty() ? new Checked.Valid<>(value) : new Checked.Invalid<>(errors);
  }
}
