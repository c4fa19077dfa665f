package dev.latchkey.core.spi;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The SHA-256 of a request in canonical form: two requests are the same exactly when their
 * fingerprints are equal. Immutable.
 */
public final class Fingerprint {

  /** Length in bytes. */
  public static final int BYTES = 32;

  // Not an array: a node may keep millions of these.
  private final long first;
  private final long second;
  private final long third;
  private final long fourth;

  private Fingerprint(ByteBuffer digest) {
    first = digest.getLong();
    second = digest.getLong();
    third = digest.getLong();
    fourth = digest.getLong();
  }

  /**
   * Wraps a digest.
   *
   * @param digest {@value #BYTES} bytes, copied
   * @return the fingerprint
   * @throws IllegalArgumentException when the length differs
   */
  public static Fingerprint of(byte[] digest) {
    if (digest.length != BYTES) {
      throw new IllegalArgumentException(
          "a fingerprint has " + BYTES + " bytes, not " + digest.length);
    }
    return new Fingerprint(ByteBuffer.wrap(digest));
  }

  /** Returns a copy of the {@value #BYTES} bytes. */
  public byte[] toBytes() {
    return ByteBuffer.allocate(BYTES)
        .putLong(first)
        .putLong(second)
        .putLong(third)
        .putLong(fourth)
        .array();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Fingerprint that
        && first == that.first
        && second == that.second
        && third == that.third
        && fourth == that.fourth;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(first);
  }

  /** Returns the digest as lower-case hexadecimal digits. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(toBytes());
  }
}
