package dev.latchkey.core.spi;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * What can be told about a key without its request, for people.
 *
 * @param key the key in its scope
 * @param phase where it stands
 * @param attempt how often it was claimed
 * @param status the stored status, when completed
 * @param location the stored {@code Location}, when completed with one
 * @param createdAtEpochMillis first use, by the store's clock
 * @param expiresAtEpochMillis when the key is free, by the store's clock
 */
public record KeyRecord(
    ScopedKey key,
    Phase phase,
    int attempt,
    OptionalInt status,
    Optional<String> location,
    long createdAtEpochMillis,
    long expiresAtEpochMillis) {}
