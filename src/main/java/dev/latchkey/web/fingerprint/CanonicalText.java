package dev.latchkey.web.fingerprint;

import java.util.Optional;

/**
 * Writes a JSON string as RFC 8785 (section 3.2.2.2) wants it: UTF-8, escaped only where it must
 * be. Refuses what not every store and parser keeps apart: lone surrogates and U+0000.
 */
final class CanonicalText {

  private static final String HEX = "0123456789abcdef";

  private CanonicalText() {}

  /**
   * Appends a string in quotes.
   *
   * @param sink where to
   * @param chars holds the text, unescaped
   * @param offset of its first character
   * @param length in characters
   * @return what is wrong with it, if anything; the sink is then undefined
   */
  static Optional<String> write(ByteSink sink, char[] chars, int offset, int length) {
    sink.putByte('"');
    int end = offset + length;
    for (int i = offset; i < end; i++) {
      char c = chars[i];
      if (c < 0x20 || c == '"' || c == '\\') {
        if (c == 0) {
          return Optional.of("a string holds the character U+0000");
        }
        escape(sink, c);
      } else if (!Character.isSurrogate(c)) {
        sink.putCodePoint(c);
      } else if (Character.isHighSurrogate(c)
          && i + 1 < end
          && Character.isLowSurrogate(chars[i + 1])) {
        sink.putCodePoint(Character.toCodePoint(c, chars[++i]));
      } else {
        return Optional.of("a string holds a lone surrogate");
      }
    }
    sink.putByte('"');
    return Optional.empty();
  }

  private static void escape(ByteSink sink, char c) {
    sink.putByte('\\');
    switch (c) {
      case '"', '\\' -> sink.putByte(c);
      case '\b' -> sink.putByte('b');
      case '\t' -> sink.putByte('t');
      case '\n' -> sink.putByte('n');
      case '\f' -> sink.putByte('f');
      case '\r' -> sink.putByte('r');
      default -> {
        sink.putAscii("u00");
        sink.putByte(HEX.charAt(c >> 4));
        sink.putByte(HEX.charAt(c & 0xF));
      }
    }
  }
}
