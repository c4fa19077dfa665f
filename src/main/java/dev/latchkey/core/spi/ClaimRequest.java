package dev.latchkey.core.spi;

/**
 * A request to claim a key. Sending the same request again is always safe.
 *
 * @param claim the requested claim
 * @param retentionMillis how long the store keeps the key, from the key's first use; at least the
 *     lease, and limited like it. Ignored if the key is known
 * @param mode which unfinished keys the claim may take
 * @param effectsInStore true if all effects of the attempt are written by this store together with
 *     the completion. A crash that loses the claim then also loses the work, so the store may
 *     acknowledge the claim before it is durable
 */
public record ClaimRequest(Claim claim, long retentionMillis, Mode mode, boolean effectsInStore) {

  /** Which keys without a stored response a claim may take. */
  public enum Mode {
    /** For a new request: an absent or released key, or one whose lease has expired. */
    ARRIVAL,
    /** For a waiter: an absent key or one whose lease has expired, never a released key. */
    TAKEOVER,
    /** As {@link #ARRIVAL}, but an expired lease gives {@link ClaimResult.Lapsed}. */
    NO_TAKEOVER
  }

  /**
   * Checks and limits the retention.
   *
   * @throws IllegalArgumentException if the retention is shorter than the lease
   */
  public ClaimRequest {
    if (retentionMillis < claim.leaseMillis()) {
      throw new IllegalArgumentException(
          "retention " + retentionMillis + " ms is shorter than the lease " + claim.leaseMillis());
    }
    retentionMillis = Math.min(retentionMillis, Expiry.MAX_DURATION_MILLIS);
  }

  /** Returns the same request in another mode. */
  public ClaimRequest withMode(Mode other) {
    return new ClaimRequest(claim, retentionMillis, other, effectsInStore);
  }
}
