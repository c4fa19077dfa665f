package dev.latchkey.packed;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TextHashTest {

  @Test
  void equalTextsHaveEqualHashes() {
    assertThat(TextHash.of("some key")).isEqualTo(TextHash.of(new String("some key")));
    assertThat(TextHash.of("a", "b")).isEqualTo(TextHash.of(new String("a"), new String("b")));
  }

  @Test
  void partsDoNotRunIntoEachOther() {
    Set<Integer> hashes = new HashSet<>();
    String text = "abcdefghi";
    for (int i = 0; i <= text.length(); i++) {
      hashes.add(TextHash.of(text.substring(0, i), text.substring(i)));
    }
    assertThat(hashes).hasSize(text.length() + 1);
  }

  /** String.hashCode has the same value for all of these. */
  @Test
  void textsThatCollideElsewhereAreSpread() {
    Set<Integer> low = new HashSet<>();
    for (int i = 0; i < 1 << 14; i++) {
      StringBuilder text = new StringBuilder();
      for (int bit = 0; bit < 14; bit++) {
        text.append(((i >> bit) & 1) == 0 ? "Aa" : "BB");
      }
      low.add(TextHash.of(text.toString()) & 0x3FFF);
    }
    // Of as many places as there are texts some 63 % are taken.
    assertThat(low.size()).isBetween(9_000, 11_500);
  }

  @Test
  void keysThatCountUpAreSpread() {
    Set<Integer> low = new HashSet<>();
    for (int i = 0; i < 1 << 14; i++) {
      low.add(TextHash.of("default", String.format("order-%010d", i)) & 0x3FFF);
    }
    assertThat(low.size()).isBetween(9_000, 11_500);
  }

  @Test
  void arithmeticIsThatOfThePrime() {
    BigInteger prime = BigInteger.ONE.shiftLeft(61).subtract(BigInteger.ONE);
    long[] values = {0, 1, 2, (1L << 48) - 1, (1L << 60) + 12_345, (1L << 61) - 2};
    for (long sum : values) {
      for (long factor : values) {
        long more = (1L << 48) - 1;
        assertThat(TextHash.step(sum, factor, more))
            .isEqualTo(
                BigInteger.valueOf(sum)
                    .multiply(BigInteger.valueOf(factor))
                    .add(BigInteger.valueOf(more))
                    .mod(prime)
                    .longValueExact());
      }
    }
  }
}
