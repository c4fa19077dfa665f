package dev.latchkey.web.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalNumberTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "0.000, 0",
    "-0e7, 0",
    "0e-999999999, 0",
    "1, 1",
    "1.0, 1",
    "1e0, 1",
    "10e-1, 1",
    "0.1E+1, 1",
    "0.001e3, 1",
    "1e00000000000000, 1",
    "-1.50, -1.5",
    "9007199254740992, 9007199254740992",
    "9007199254740993, 9007199254740993",
    "9007199254740993.0, 9007199254740993",
    "0.1, 0.1",
    "0.10000000000000000001, 0.10000000000000000001",
    // The layout of RFC 8785, appendix B.
    "1e20, 100000000000000000000",
    "1e21, 1e+21",
    "999999999999999900000, 999999999999999900000",
    "1E23, 1e+23",
    "0.000001, 0.000001",
    "0.0000001, 1e-7",
    "1.7976931348623157e308, 1.7976931348623157e+308",
    "5e-324, 5e-324",
    "-0.0000033333333333333333, -0.0000033333333333333333",
    "333333333.33333329, 333333333.33333329",
    // Beyond what a double holds, and never expanded.
    "1e999999999, 1e+999999999",
    "12.5e-999999999, 1.25e-999999998",
    "1e-0999999999, 1e-999999999",
  })
  void writesOneSpellingPerValue(String spelling, String canonical) {
    assertThat(write(spelling)).isEqualTo(canonical);
  }

  @Test
  void boundsSpellingAndExponent() {
    String longest = "1".repeat(CanonicalNumber.MAX_CHARS);
    assertThat(problem(longest)).isEmpty();
    assertThat(problem(longest + "1")).contains("a number has 1001 characters, allowed are 1000");
    assertThat(problem("1e1000000000")).isPresent();
    assertThat(problem("1e-99999999999999999999")).isPresent();
    assertThat(problem("0e1000000000")).isPresent();
  }

  @Property
  void keepsTheExactValue(@ForAll("numbers") String spelling) {
    assertThat(new BigDecimal(write(spelling))).isEqualByComparingTo(new BigDecimal(spelling));
  }

  @Property
  void equalExactlyWhenEqualByValue(
      @ForAll("numbers") String one, @ForAll("numbers") String other) {
    boolean same = new BigDecimal(one).compareTo(new BigDecimal(other)) == 0;
    assertThat(write(one).equals(write(other))).isEqualTo(same);
  }

  @Provide
  Arbitrary<String> numbers() {
    // Few digits and small exponents, so that equal values in other spellings come up.
    Arbitrary<String> digits = Arbitraries.strings().withChars("0012").ofMaxLength(4);
    Arbitrary<String> lead = Arbitraries.of("0", "1", "2", "10", "9007199254740993");
    Arbitrary<String> fraction = digits.map(d -> d.isEmpty() ? "" : "." + d);
    Arbitrary<String> exponent =
        Arbitraries.of("", "", "e0", "E+1", "e-1", "e-2", "e03", "E21", "e-24");
    return Combinators.combine(Arbitraries.of("", "-"), lead, fraction, exponent)
        .as((sign, i, f, e) -> sign + i + f + e);
  }

  private static String write(String spelling) {
    ByteSink sink = new ByteSink(8);
    char[] padded = ("x" + spelling + "7").toCharArray();
    assertThat(CanonicalNumber.write(sink, padded, 1, spelling.length())).isEmpty();
    return sink.toString();
  }

  private static Optional<String> problem(String spelling) {
    return CanonicalNumber.write(new ByteSink(8), spelling.toCharArray(), 0, spelling.length());
  }
}
