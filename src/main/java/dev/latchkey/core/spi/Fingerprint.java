package dev.latchkey.core.spi;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a request under a key. It has two parts:
 *
 * <ul>
 *   <li>the <b>hash</b>, SHA-256 over the request in canonical form. It alone decides: two requests
 *       are the same exactly if their hashes are equal, and so are their fingerprints;
 *   <li>the <b>member sketch</b>, which explains: a short, opaque encoding of the members of the
 *       body, as digests without values. It names the members that differ when another request is
 *       refused. A store keeps the sketch of a key's first use and never compares it.
 * </ul>
 *
 * Immutable.
 */
public final class Fingerprint {

  /** Length of the hash in bytes. */
  public static final int HASH_BYTES = 32;

  /** Greatest length of a member sketch in bytes. */
  public static final int MAX_SKETCH_BYTES = 1024;

  private static final byte[] NO_SKETCH = {};

  // Not an array: a node may keep millions of these.
  private final long first;
  private final long second;
  private final long third;
  private final long fourth;
  private final byte[] memberSketch;

  private Fingerprint(ByteBuffer hash, byte[] memberSketch) {
    first = hash.getLong();
    second = hash.getLong();
    third = hash.getLong();
    fourth = hash.getLong();
    this.memberSketch = memberSketch;
  }

  /**
   * Wraps a hash, with an empty member sketch.
   *
   * @param hash {@value #HASH_BYTES} bytes, copied
   * @return the fingerprint
   * @throws IllegalArgumentException if the length differs
   */
  public static Fingerprint of(byte[] hash) {
    return of(hash, NO_SKETCH);
  }

  /**
   * Wraps a hash and a member sketch.
   *
   * @param hash {@value #HASH_BYTES} bytes, copied
   * @param memberSketch at most {@value #MAX_SKETCH_BYTES} bytes, copied; empty if nothing is known
   * @return the fingerprint
   * @throws IllegalArgumentException if a length is wrong
   */
  public static Fingerprint of(byte[] hash, byte[] memberSketch) {
    if (hash.length != HASH_BYTES) {
      throw new IllegalArgumentException("a hash has 32 bytes, not " + hash.length);
    }
    if (memberSketch.length > MAX_SKETCH_BYTES) {
      throw new IllegalArgumentException(
          "a member sketch has at most 1024 bytes, not " + memberSketch.length);
    }
    return new Fingerprint(
        ByteBuffer.wrap(hash), memberSketch.length == 0 ? NO_SKETCH : memberSketch.clone());
  }

  /** Returns a copy of the {@value #HASH_BYTES} bytes of the hash. */
  public byte[] hash() {
    return ByteBuffer.allocate(HASH_BYTES)
        .putLong(first)
        .putLong(second)
        .putLong(third)
        .putLong(fourth)
        .array();
  }

  /** Returns a copy of the member sketch. */
  public byte[] memberSketch() {
    return memberSketch.clone();
  }

  /** Returns the length of the member sketch in bytes. */
  public int memberSketchBytes() {
    return memberSketch.length;
  }

  /** Compares the hashes only. */
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

  /** Returns the hash as lower-case hexadecimal digits. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(hash());
  }
}
