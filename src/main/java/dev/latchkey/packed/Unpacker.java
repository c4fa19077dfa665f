package dev.latchkey.packed;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Reads what {@link Packer} wrote, in the same order. Used by one thread. */
public final class Unpacker {

  private final byte[] bytes;
  private int at;

  /**
   * Reads from a place on.
   *
   * @param bytes hold what was written, not changed
   * @param at where it begins
   */
  public Unpacker(byte[] bytes, int at) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Returns where the next value begins. */
  public int at() {
    return at;
  }

  /** Reads a number. */
  public long number() {
    long value = 0;
    int shift = 0;
    while (bytes[at] < 0) {
      value |= (bytes[at++] & 0x7FL) << shift;
      shift += 7;
    }
    return value | (long) bytes[at++] << shift;
  }

  /** Reads a text. */
  public String text() {
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
      text[i] = wideAt(start, i);
    }
    return new String(text);
  }

  /**
   * Reads a text without making it.
   *
   * @param expected what it may be
   * @return whether it is
   */
  public boolean isText(String expected) {
    long head = number();
    int chars = (int) (head >> 1);
    boolean wide = (head & 1) != 0;
    int start = at;
    at += wide ? 2 * chars : chars;
    if (chars != expected.length()) {
      return false;
    }
    for (int i = 0; i < chars; i++) {
      char c = wide ? wideAt(start, i) : (char) (bytes[start + i] & 0xFF);
      if (c != expected.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Passes over a text. */
  public void skipText() {
    long head = number();
    int chars = (int) (head >> 1);
    at += (head & 1) != 0 ? 2 * chars : chars;
  }

  /** Reads a text that may be missing. */
  public Optional<String> optionalText() {
    return number() == 0 ? Optional.empty() : Optional.of(text());
  }

  /** Reads a copy of bytes whose length stands before them. */
  public byte[] bytes() {
    return raw((int) number());
  }

  /**
   * Reads a copy of bytes.
   *
   * @param length how many
   * @return the bytes
   */
  public byte[] raw(int length) {
    at += length;
    return Arrays.copyOfRange(bytes, at - length, at);
  }

  private char wideAt(int start, int index) {
    return (char) (bytes[start + 2 * index] << 8 | (bytes[start + 2 * index + 1] & 0xFF));
  }
}
