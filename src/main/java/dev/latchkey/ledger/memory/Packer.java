package dev.latchkey.ledger.memory;

import java.util.Arrays;
import java.util.Optional;

/**
 * Writes numbers and texts, one after the other, into bytes that {@link Unpacker} reads. Its room
 * is used again and again; used under one lock.
 */
final class Packer {

  private static final int FIRST_ROOM = 1_024;

  private byte[] bytes = new byte[FIRST_ROOM];
  private int size;

  /** Returns a copy of what was written since the last time, and begins anew. */
  byte[] take() {
    byte[] taken = Arrays.copyOf(bytes, size);
    size = 0;
    return taken;
  }

  /** Seven bits a byte, the lowest first; small numbers are short, no sign is lost. */
  void number(long value) {
    reserve(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** Its length and whether it is wide, then one byte a character, or two. */
  void text(String text) {
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

  void text(Optional<String> text) {
    number(text.isPresent() ? 1 : 0);
    text.ifPresent(this::text);
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
