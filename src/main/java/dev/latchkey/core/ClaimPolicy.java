package dev.latchkey.core;

/**
 * What one handler demands for its requests.
 *
 * @param leaseMillis how long a claim lives without a renewal
 * @param retentionMillis how long a key is kept from its first use
 * @param runLimitMillis how long an attempt is renewed
 * @param effectsInStore whether the claim itself need not be durable
 * @param onLostOwner what becomes of a key whose owner died
 */
public record ClaimPolicy(
    long leaseMillis,
    long retentionMillis,
    long runLimitMillis,
    boolean effectsInStore,
    LostOwner onLostOwner) {}
