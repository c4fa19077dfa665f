package dev.latchkey.web.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalQueryTest {

  @ParameterizedTest
  @CsvSource({
    "b=2&a=1, a=1&b=2",
    "a=1&&b=2&, a=1&b=2",
    "a=%7e%2D%5F%2e%41%7A%30, a=~-_.Az0",
    "a=%2f%c3%a9, a=%2F%C3%A9",
    "%61=1, a=1",
  })
  void sameRequests(String one, String other) {
    assertThat(CanonicalQuery.parameters(one)).isEqualTo(CanonicalQuery.parameters(other));
  }

  @ParameterizedTest
  @CsvSource({
    "a=1, a=2",
    "a=1&a=2, a=2&a=1",
    "a=1&a=1, a=1",
    "a, a=",
    "a=1&b=2, a=1%26b=2",
    "a=b=c, a%3Db=c",
    "a=+, a=%2B",
    "a=+, a=%20",
    "a=%zz, a=%25zz",
    "a=%, a=%25",
    "a=%4, a=%254",
    "a=1;b=2, a=1%3Bb=2",
    "x=1;a=2&a=3, a=3&x=1;a=2",
    "A=1, a=1",
  })
  void requestsThatAHandlerMayTellApart(String one, String other) {
    assertThat(CanonicalQuery.parameters(one)).isNotEqualTo(CanonicalQuery.parameters(other));
  }

  @FuzzTest
  void fuzz(byte[] input) {
    String query = new String(input, StandardCharsets.UTF_8);
    assertThatCode(() -> CanonicalQuery.parameters(query)).doesNotThrowAnyException();
  }
}
