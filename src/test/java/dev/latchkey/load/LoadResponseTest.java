package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadResponseTest {

  private static LoadResponse response(int status, @Nullable String retryAfter, String body) {
    MultiMap headers = MultiMap.caseInsensitiveMultiMap();
    if (retryAfter != null) {
      headers.add("Retry-After", retryAfter);
    }
    return new LoadResponse(status, headers, Buffer.buffer(body), 0, 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "409 |   | {\"retryable\":true}  | true",
        "409 |   | {\"retryable\":false} | false",
        "409 |   | {}                    | false",
        "409 | 1 | {}                    | true",
        "429 |   | {}                    | true",
        "503 |   | not json              | true",
        "503 | 1 | {\"retryable\":false} | false",
        "503 |   | [1]                   | true",
        "500 |   | {\"retryable\":true}  | false",
        "422 |   | {\"retryable\":true}  | false",
        "402 |   | {}                    | false"
      })
  void retryableStatusesUnlessTheBodySaysOtherwise(
      int status, @Nullable String retryAfter, String body, boolean expected) {
    assertThat(response(status, retryAfter, body).retryable()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "7, 7", "999999999, 999999999"})
  void retryAfterIsParsedInSeconds(String header, long seconds) {
    assertThat(response(503, header, "{}").retryAfterSeconds()).hasValue(seconds);
  }

  @Test
  void retryAfterThatIsNotANumberIsIgnored() {
    String date = "Fri, 31 Dec 1999 23:59:59 GMT";
    assertThat(response(503, date, "{}").retryAfterSeconds()).isEqualTo(OptionalLong.empty());
    assertThat(response(503, "9999999999", "{}").retryAfterSeconds()).isEmpty();
    assertThat(response(503, "-1", "{}").retryAfterSeconds()).isEmpty();
  }
}
