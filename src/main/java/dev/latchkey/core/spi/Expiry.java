package dev.latchkey.core.spi;

/**
 * When a key expires, by the store's clock.
 *
 * @param atEpochMillis the instant on the store's clock, in milliseconds since 1970; the same in
 *     every result for a completed key
 * @param inMillis the time left when the store replied. A node counts it from <em>before</em> its
 *     call, so its clock need not agree with the store's
 */
public record Expiry(long atEpochMillis, long inMillis) {}
