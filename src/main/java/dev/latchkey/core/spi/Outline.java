package dev.latchkey.core.spi;

import java.util.Arrays;

/**
 * A short, opaque sketch of a request, kept beside its fingerprint so that a refused other request
 * can be told which of its members differ. It holds digests, never values. A store keeps the bytes
 * of the first use and gives them back with {@link ClaimResult.Mismatch}; it never compares them.
 * Immutable.
 */
public final class Outline {

  /** Longest outline, in bytes. */
  public static final int MAX_BYTES = 1024;

  /** Says nothing about the request. */
  public static final Outline EMPTY = new Outline(new byte[0]);

  private final byte[] bytes;

  private Outline(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Wraps encoded bytes.
   *
   * @param bytes at most {@value #MAX_BYTES}, copied
   * @return the outline
   * @throws IllegalArgumentException when it is longer
   */
  public static Outline of(byte[] bytes) {
    if (bytes.length > MAX_BYTES) {
      throw new IllegalArgumentException(
          "an outline has at most " + MAX_BYTES + " bytes, not " + bytes.length);
    }
    return bytes.length == 0 ? EMPTY : new Outline(bytes.clone());
  }

  /** Returns how many bytes it has. */
  public int size() {
    return bytes.length;
  }

  /** Returns a copy of the bytes. */
  public byte[] toBytes() {
    return bytes.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Outline that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "Outline[" + bytes.length + " bytes]";
  }
}
