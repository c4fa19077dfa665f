package dev.latchkey.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The errors of an invalid request. */
final class ErrorPointers {

  private ErrorPointers() {}

  static List<String> of(ThrowingCallable reading) {
    InvalidRequestException invalid = catchThrowableOfType(InvalidRequestException.class, reading);
    assertThat(invalid).isNotNull();
    return invalid.errors().stream().map(FieldError::pointer).toList();
  }
}
