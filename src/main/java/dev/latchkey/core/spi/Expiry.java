package dev.latchkey.core.spi;

/**
 * When a key is free again, by the store's clock.
 *
 * @param atEpochMillis the instant, in milliseconds since 1970 on the store's clock; the same in
 *     every answer about a completed key
 * @param inMillis what was left of it when the store answered; a node counts this down from
 *     <em>before</em> it asked and so needs no clock that agrees with the store's
 */
public record Expiry(long atEpochMillis, long inMillis) {}
