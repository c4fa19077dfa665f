package dev.latchkey.web.fingerprint;

import java.util.Optional;

/**
 * Writes a JSON number so that two spellings of one value come out alike and two values never do:
 * the layout of RFC 8785 (ECMAScript's Number::toString) over the exact decimal value, not over its
 * nearest double. Work and output are bounded by the length of the spelling, whatever its exponent.
 */
final class CanonicalNumber {

  /** Longest spelling, in characters. */
  static final int MAX_CHARS = 1_000;

  /** Most digits of an exponent, leading zeros not counted. */
  static final int MAX_EXPONENT_DIGITS = 9;

  /** From here on ECMAScript writes an exponent. */
  private static final int MAX_PLAIN_POINT = 21;

  private static final int MIN_PLAIN_POINT = -6;

  private CanonicalNumber() {}

  /**
   * Appends a number.
   *
   * @param sink where to
   * @param spelling holds a number that follows the JSON grammar
   * @param offset of its first character
   * @param length in characters
   * @return what is wrong with it, if anything; the sink is then undefined
   */
  static Optional<String> write(ByteSink sink, char[] spelling, int offset, int length) {
    if (length > MAX_CHARS) {
      return Optional.of("a number has " + length + " characters, allowed are " + MAX_CHARS);
    }
    byte[] digits = new byte[length];
    int count = 0;
    // The value is 0.DIGITS times ten to the power of this.
    int point = 0;
    boolean fraction = false;
    int end = offset + length;
    int i = spelling[offset] == '-' ? offset + 1 : offset;
    for (; i < end && (spelling[i] | 0x20) != 'e'; i++) {
      char c = spelling[i];
      if (c == '.') {
        fraction = true;
      } else if (c == '0' && count == 0) {
        point -= fraction ? 1 : 0;
      } else {
        digits[count++] = (byte) c;
        point += fraction ? 0 : 1;
      }
    }
    if (i < end) {
      int exponent = exponent(spelling, i + 1, end);
      if (exponent == Integer.MIN_VALUE) {
        return Optional.of(
            "a number has an exponent of more than " + MAX_EXPONENT_DIGITS + " digits");
      }
      point += exponent;
    }
    while (count > 0 && digits[count - 1] == '0') {
      count--;
    }
    if (count == 0) {
      sink.putByte('0');
      return Optional.empty();
    }
    if (spelling[offset] == '-') {
      sink.putByte('-');
    }
    layOut(sink, digits, count, point);
    return Optional.empty();
  }

  /** Reads an exponent, or returns Integer.MIN_VALUE when it is too long. */
  private static int exponent(char[] spelling, int start, int end) {
    boolean negative = spelling[start] == '-';
    int i = negative || spelling[start] == '+' ? start + 1 : start;
    while (i < end && spelling[i] == '0') {
      i++;
    }
    if (end - i > MAX_EXPONENT_DIGITS) {
      return Integer.MIN_VALUE;
    }
    int exponent = 0;
    for (; i < end; i++) {
      exponent = exponent * 10 + spelling[i] - '0';
    }
    return negative ? -exponent : exponent;
  }

  private static void layOut(ByteSink sink, byte[] digits, int count, int point) {
    if (point > MAX_PLAIN_POINT || point <= MIN_PLAIN_POINT) {
      sink.putByte(digits[0]);
      if (count > 1) {
        sink.putByte('.');
        sink.putBytes(digits, 1, count - 1);
      }
      sink.putByte('e');
      sink.putAscii(point > 0 ? "+" + (point - 1) : Integer.toString(point - 1));
    } else if (point <= 0) {
      sink.putAscii("0.");
      putZeros(sink, -point);
      sink.putBytes(digits, 0, count);
    } else if (count <= point) {
      sink.putBytes(digits, 0, count);
      putZeros(sink, point - count);
    } else {
      sink.putBytes(digits, 0, point);
      sink.putByte('.');
      sink.putBytes(digits, point, count - point);
    }
  }

  private static void putZeros(ByteSink sink, int count) {
    for (int i = 0; i < count; i++) {
      sink.putByte('0');
    }
  }
}
