package dev.latchkey.payments;

import java.util.List;

/** What came of checking a request. */
sealed interface Checked<T> {

  /** It is sound. */
  record Valid<T>(T value) implements Checked<T> {}

  /** It is not; at least one error. */
  record Invalid<T>(List<FieldError> errors) implements Checked<T> {
    /** Copies the list. */
    public Invalid {
      errors = List.copyOf(errors);
    }

    static <T> Invalid<T> of(String pointer, String detail) {
      return new Invalid<>(List.of(new FieldError(pointer, detail)));
    }
  }
}
