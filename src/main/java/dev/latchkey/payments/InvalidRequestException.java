package dev.latchkey.payments;

import java.util.List;

/** Thrown for a request that the API rejects with 400. Has no stack trace: the client caused it. */
final class InvalidRequestException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient List<FieldError> errors;

  InvalidRequestException(List<FieldError> errors) {
    super("invalid request: " + errors, null, false, false);
    this.errors = List.copyOf(errors);
  }

  List<FieldError> errors() {
    return errors;
  }
}
