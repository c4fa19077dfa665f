package dev.latchkey.core.spi;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * A summary of a key for people.
 *
 * @param key the key in its scope
 * @param phase its phase
 * @param attempt number of claims granted
 * @param status the stored status; present if completed
 * @param location the stored {@code Location}; present if completed with one
 * @param createdAtEpochMillis first use, by the store's clock
 * @param expiresAtEpochMillis when the key expires, by the store's clock
 */
public record KeyRecord(
    ScopedKey key,
    Phase phase,
    int attempt,
    OptionalInt status,
    Optional<String> location,
    long createdAtEpochMillis,
    long expiresAtEpochMillis) {}
