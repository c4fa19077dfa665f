package dev.latchkey.core.spi;

/**
 * A claim, asked for or held: what a node names in every later call about it.
 *
 * @param key the claimed key
 * @param fingerprint of the request it was claimed for; its member sketch is kept with a first use
 * @param token the fencing token of this claim, of nobody else
 * @param leaseMillis how long the claim lives without a renewal, positive
 */
public record Claim(ScopedKey key, Fingerprint fingerprint, Token token, long leaseMillis) {

  /**
   * Checks the lease.
   *
   * @throws IllegalArgumentException when the lease is not positive
   */
  public Claim {
    if (leaseMillis <= 0) {
      throw new IllegalArgumentException("lease " + leaseMillis + " ms is not positive");
    }
  }
}
