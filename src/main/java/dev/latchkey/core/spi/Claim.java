package dev.latchkey.core.spi;

/**
 * A claim on a key, requested or held. Identifies the owner in every later call.
 *
 * @param key the claimed key
 * @param fingerprint of the request; a store keeps the member sketch of the key's first use
 * @param token the fencing token, unique to this claim
 * @param leaseMillis how long the claim is valid without renewal, positive; more than {@link
 *     Expiry#MAX_DURATION_MILLIS} is that maximum
 */
public record Claim(ScopedKey key, Fingerprint fingerprint, Token token, long leaseMillis) {

  /**
   * Checks and limits the lease.
   *
   * @throws IllegalArgumentException if the lease is not positive
   */
  public Claim {
    if (leaseMillis <= 0) {
      throw new IllegalArgumentException("lease " + leaseMillis + " ms is not positive");
    }
    leaseMillis = Math.min(leaseMillis, Expiry.MAX_DURATION_MILLIS);
  }
}
