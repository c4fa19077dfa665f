package dev.latchkey.core;

/**
 * The claim settings of one handler. Durations are limited to {@link
 * OptionChecks#MAX_DURATION_MILLIS}.
 *
 * @param leaseMillis how long a claim is valid without renewal
 * @param retentionMillis how long a key is kept, from its first use
 * @param runLimitMillis maximum duration of one attempt
 * @param effectsInStore whether all effects are in the store, so that claims need not be durable
 * @param onLostOwner how to treat a key whose owner was lost
 */
public record ClaimPolicy(
    long leaseMillis,
    long retentionMillis,
    long runLimitMillis,
    boolean effectsInStore,
    LostOwner onLostOwner) {

  /**
   * Checks and limits the durations.
   *
   * @throws IllegalArgumentException if a duration is not positive
   */
  public ClaimPolicy {
    leaseMillis = OptionChecks.duration("leaseMillis", leaseMillis);
    retentionMillis = OptionChecks.duration("retentionMillis", retentionMillis);
    runLimitMillis = OptionChecks.duration("runLimitMillis", runLimitMillis);
  }
}
