package dev.latchkey.ledger.memory;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads what {@link Packer} wrote, in the same order. Used by one thread. */
final class Unpacker {

  private final byte[] bytes;
  private int at;

  Unpacker(byte[] bytes) {
    this.bytes = bytes;
  }

  long number() {
    long value = 0;
    int shift = 0;
    while (bytes[at] < 0) {
      value |= (bytes[at++] & 0x7FL) << shift;
      shift += 7;
    }
    return value | (long) bytes[at++] << shift;
  }

  String text() {
    long head = number();
    int chars = (int) (head >> 1);
    boolean wide = (head & 1) != 0;
    int start = at;
    at += wide ? 2 * chars : chars;
    if (!wide) {
      return new String(bytes, start, chars, StandardCharsets.ISO_8859_1);
    }
    // Not by a charset: that would replace what is no valid Unicode.
    char[] text = new char[chars];
    for (int i = 0; i < chars; i++) {
      text[i] = (char) (bytes[start + 2 * i] << 8 | (bytes[start + 2 * i + 1] & 0xFF));
    }
    return new String(text);
  }

  Optional<String> optionalText() {
    return number() == 0 ? Optional.empty() : Optional.of(text());
  }
}
