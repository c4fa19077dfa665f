package dev.latchkey.core.spi;

/**
 * What a node sends to claim a key. Sending the very same request again is always safe.
 *
 * @param claim key, fingerprint, token and lease of the claim that is asked for
 * @param retentionMillis how long the key is kept, counted by the store from the key's first use;
 *     at least the lease. Ignored where the key is known already
 * @param mode what to do with a key whose attempt ended without a stored answer
 * @param effectsInStore true when everything the attempt will do is written by this store together
 *     with the completion, so that a crash which loses the claim loses the work too: the store may
 *     then acknowledge the claim before it is durable
 */
public record ClaimRequest(Claim claim, long retentionMillis, Mode mode, boolean effectsInStore) {

  /** What a claim may take. */
  public enum Mode {
    /** A request of its own: takes an absent, released or lapsed key. */
    ARRIVAL,
    /** On behalf of somebody who waited: takes an absent or lapsed key, never a released one. */
    TAKEOVER,
    /** As {@link #ARRIVAL}, but a lapsed key is left for a person ({@link ClaimResult.Lapsed}). */
    NO_TAKEOVER
  }

  /**
   * Checks the retention.
   *
   * @throws IllegalArgumentException when the retention is shorter than the lease
   */
  public ClaimRequest {
    if (retentionMillis < claim.leaseMillis()) {
      throw new IllegalArgumentException(
          "retention " + retentionMillis + " ms is shorter than the lease " + claim.leaseMillis());
    }
  }

  /** Returns the same request in another mode. */
  public ClaimRequest withMode(Mode other) {
    return new ClaimRequest(claim, retentionMillis, other, effectsInStore);
  }
}
