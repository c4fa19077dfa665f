package dev.latchkey.idempotency.spi;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * The SHA-256 of a request in canonical form: two requests are the same exactly when their
 * fingerprints are equal. Immutable.
 */
public final class Fingerprint {

  /** Length in bytes. */
  public static final int BYTES = 32;

  private final byte[] digest;

  private Fingerprint(byte[] digest) {
    this.digest = digest;
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
    return new Fingerprint(digest.clone());
  }

  /** Returns a copy of the {@value #BYTES} bytes. */
  public byte[] toBytes() {
    return digest.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Fingerprint that && Arrays.equals(digest, that.digest);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(digest);
  }

  /** Returns the digest as lower-case hexadecimal digits. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(digest);
  }
}
