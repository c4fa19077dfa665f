package dev.latchkey.web.fingerprint;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Bytes that grow at their end. Unlike ByteArrayOutputStream it takes no lock and lets its content
 * be read in place. Used by one thread.
 */
final class ByteSink {

  private static final int FIRST_ROOM = 256;

  /** What is used again and again keeps no more than this for the next time. */
  private static final int MOST_KEPT = 1 << 16;

  private byte[] bytes;
  private int size;

  ByteSink(int capacity) {
    bytes = new byte[Math.max(16, capacity)];
  }

  int size() {
    return size;
  }

  byte at(int index) {
    return bytes[index];
  }

  /** Empties it and keeps its room, unless that is large. */
  void clear() {
    size = 0;
    if (bytes.length > MOST_KEPT) {
      bytes = new byte[FIRST_ROOM];
    }
  }

  /** Drops what was written after it had this size. */
  void truncate(int before) {
    size = before;
  }

  void set(int index, int b) {
    bytes[index] = (byte) b;
  }

  /** Compares two stretches, byte by byte. */
  int compare(int start, int end, int otherStart, int otherEnd) {
    return Arrays.compareUnsigned(bytes, start, end, bytes, otherStart, otherEnd);
  }

  void putByte(int b) {
    reserve(1);
    bytes[size++] = (byte) b;
  }

  void putShort(int value) {
    reserve(2);
    bytes[size++] = (byte) (value >> 8);
    bytes[size++] = (byte) value;
  }

  void putBytes(byte[] from, int offset, int length) {
    reserve(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  void putAscii(String text) {
    reserve(text.length());
    for (int i = 0; i < text.length(); i++) {
      bytes[size++] = (byte) text.charAt(i);
    }
  }

  /**
   * Appends a text so that it cannot run into what follows: its length in characters, then two
   * bytes for each, which unlike UTF-8 also tells ill-formed texts apart.
   */
  void putPart(String text) {
    int length = text.length();
    reserve(4 + 2 * length);
    putShort(length >>> 16);
    putShort(length);
    for (int i = 0; i < length; i++) {
      putShort(text.charAt(i));
    }
  }

  /** Appends one code point as UTF-8. */
  void putCodePoint(int codePoint) {
    reserve(4);
    if (codePoint < 0x80) {
      bytes[size++] = (byte) codePoint;
    } else if (codePoint < 0x800) {
      bytes[size++] = (byte) (0xC0 | (codePoint >> 6));
      bytes[size++] = continuation(codePoint);
    } else if (codePoint < 0x10000) {
      bytes[size++] = (byte) (0xE0 | (codePoint >> 12));
      bytes[size++] = continuation(codePoint >> 6);
      bytes[size++] = continuation(codePoint);
    } else {
      bytes[size++] = (byte) (0xF0 | (codePoint >> 18));
      bytes[size++] = continuation(codePoint >> 12);
      bytes[size++] = continuation(codePoint >> 6);
      bytes[size++] = continuation(codePoint);
    }
  }

  void copyTo(ByteSink target, int start, int end) {
    target.putBytes(bytes, start, end - start);
  }

  void updateInto(MessageDigest digest) {
    digest.update(bytes, 0, size);
  }

  void updateInto(MessageDigest digest, int start, int end) {
    digest.update(bytes, start, end - start);
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  /** Returns the content as text, for tests and messages. */
  @Override
  public String toString() {
    return new String(bytes, 0, size, StandardCharsets.UTF_8);
  }

  private static byte continuation(int bits) {
    return (byte) (0x80 | (bits & 0x3F));
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, 2 * bytes.length));
    }
  }
}
