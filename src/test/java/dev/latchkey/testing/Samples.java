package dev.latchkey.testing;

import java.util.Random;

/** Random values for {@link SeededTest}. */
public final class Samples {

  private Samples() {}

  /** Returns a text of printable ASCII. */
  public static String printable(Random random, int minLength, int maxLength) {
    return text(random, minLength, maxLength, ' ', '~');
  }

  /** Returns a text of ASCII, of Latin-1 or of any UTF-16 code units, lone surrogates included. */
  public static String text(Random random, int maxLength) {
    char[] last = {'\u007f', '\u00ff', '\uffff'};
    return text(random, 0, maxLength, '\0', last[random.nextInt(last.length)]);
  }

  /** Returns bytes. */
  public static byte[] bytes(Random random, int maxLength) {
    byte[] bytes = new byte[random.nextInt(maxLength + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static String text(Random random, int min, int max, char first, char last) {
    StringBuilder text = new StringBuilder();
    for (int n = min + random.nextInt(max - min + 1); n > 0; n--) {
      text.append((char) (first + random.nextInt(last - first + 1)));
    }
    return text.toString();
  }
}
