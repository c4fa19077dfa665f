package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttemptEndTest {

  private static AttemptEnd.Answered answer(int status, String retryAfter, String body) {
    Optional<String> header = Optional.ofNullable(retryAfter);
    return new AttemptEnd.Answered(
        status, false, header, MultiMap.caseInsensitiveMultiMap(), Buffer.buffer(body), 0, 0);
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
  void whatMayYetSucceedIsRetried(int status, String retryAfter, String body, boolean expected) {
    assertThat(answer(status, retryAfter, body).retryable()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "7, 7", "999999999, 999999999"})
  void retryAfterIsReadInSeconds(String header, long seconds) {
    assertThat(answer(503, header, "{}").retryAfterSeconds()).hasValue(seconds);
  }

  @Test
  void retryAfterThatIsNoNumberIsIgnored() {
    String date = "Fri, 31 Dec 1999 23:59:59 GMT";
    assertThat(answer(503, date, "{}").retryAfterSeconds()).isEqualTo(OptionalLong.empty());
    assertThat(answer(503, "9999999999", "{}").retryAfterSeconds()).isEmpty();
    assertThat(answer(503, "-1", "{}").retryAfterSeconds()).isEmpty();
  }
}
