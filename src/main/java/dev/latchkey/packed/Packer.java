package dev.latchkey.packed;

import java.util.Arrays;
import java.util.Optional;

/**
 * Writes numbers and texts, one after the other, into bytes that {@link Unpacker} reads. Its room
 * is used again and again; used under one lock.
 */
public final class Packer {

  private static final int FIRST_ROOM = 1_024;
  private static final int MOST_ROOM_KEPT = 1 << 16;

  private byte[] bytes = new byte[FIRST_ROOM];
  private int size;

  /** A packer with nothing written. */
  public Packer() {}

  /** Forgets what was written, and room that only something large needed. */
  public void clear() {
    size = 0;
    if (bytes.length > MOST_ROOM_KEPT) {
      bytes = new byte[FIRST_ROOM];
    }
  }

  /** Returns how many bytes were written. */
  public int size() {
    return size;
  }

  /** Copies what was written to a place that has room for it. */
  void copyTo(byte[] target, int at) {
    System.arraycopy(bytes, 0, target, at, size);
  }

  /**
   * Writes a number: seven bits a byte, the lowest first; small ones are short, no sign is lost.
   *
   * @param value any
   */
  public void number(long value) {
    reserve(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /**
   * Writes a text: its length and whether it is wide, then one byte a character, or two.
   *
   * @param text any, also one that is no valid Unicode
   */
  public void text(String text) {
    boolean wide = isWide(text);
    number((long) text.length() << 1 | (wide ? 1 : 0));
    reserve(2 * text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (wide) {
        bytes[size++] = (byte) (c >> 8);
      }
      bytes[size++] = (byte) c;
    }
  }

  /**
   * Writes a text that may be missing.
   *
   * @param text or nothing
   */
  public void text(Optional<String> text) {
    number(text.isPresent() ? 1 : 0);
    text.ifPresent(this::text);
  }

  /**
   * Writes bytes as they are, with their length before them.
   *
   * @param some copied
   */
  public void bytes(byte[] some) {
    number(some.length);
    raw(some, 0, some.length);
  }

  /**
   * Writes what another packer wrote.
   *
   * @param from holds it
   * @param start of its first byte
   * @param end behind its last byte
   */
  public void raw(byte[] from, int start, int end) {
    reserve(end - start);
    System.arraycopy(from, start, bytes, size, end - start);
    size += end - start;
  }

  private static boolean isWide(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0xFF) {
        return true;
      }
    }
    return false;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
    }
  }
}
