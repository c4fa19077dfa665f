package dev.latchkey.packed;

import java.security.SecureRandom;

/**
 * Hashes texts under a secret of this process: a polynomial over the integers modulo 2^61 - 1,
 * whose collisions nobody can find who does not know the secret. So clients that choose their keys
 * cannot fill one place of a table that has no other remedy. Safe for use by any thread.
 */
public final class TextHash {

  private static final long PRIME = (1L << 61) - 1;

  private static final long SECRET = (new SecureRandom().nextLong() >>> 3) % (PRIME - 2) + 2;

  private TextHash() {}

  /**
   * Hashes a text.
   *
   * @param text any
   * @return the hash, different in each process
   */
  public static int of(String text) {
    return spread(add(1, text));
  }

  /**
   * Hashes two texts; their lengths count, so that none runs into the other.
   *
   * @param first any
   * @param second any
   * @return the hash, different in each process
   */
  public static int of(String first, String second) {
    return spread(add(add(1, first), second));
  }

  private static long add(long hash, String text) {
    int length = text.length();
    long sum = step(hash, SECRET, length);
    int i = 0;
    for (; i + 3 <= length; i += 3) {
      sum = step(sum, SECRET, wordAt(text, i));
    }
    long rest = 0;
    for (; i < length; i++) {
      rest = (rest << 16) | text.charAt(i);
    }
    return step(sum, SECRET, rest);
  }

  /** Three characters, which are less than the prime. */
  private static long wordAt(String text, int i) {
    return text.charAt(i) | ((long) text.charAt(i + 1) << 16) | ((long) text.charAt(i + 2) << 32);
  }

  /** Multiplies and adds, modulo the prime; all are less than it. */
  static long step(long sum, long factor, long more) {
    long low = sum * factor;
    long high = (Math.multiplyHigh(sum, factor) << 3) | (low >>> 61);
    long next = (low & PRIME) + high + more;
    next = (next & PRIME) + (next >>> 61);
    return next >= PRIME ? next - PRIME : next;
  }

  /** The upper bits of a product depend on all bits below; once more, so that no row stays one. */
  private static int spread(long hash) {
    long mixed = hash * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
    return (int) (mixed >>> 32);
  }
}
