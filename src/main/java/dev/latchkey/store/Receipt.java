package dev.latchkey.store;

import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Token;

/**
 * A ledger's own evidence of a stored answer, committed with what the answer speaks of.
 *
 * @param fingerprint the request that the key names, with its member sketch
 * @param token of the attempt that was answered so
 * @param attempt which attempt at the key that was, from 1
 * @param response the answer
 * @param createdAtEpochMillis first use of the key
 * @param expiry when the key will be free
 */
public record Receipt(
    Fingerprint fingerprint,
    Token token,
    int attempt,
    StoredResponse response,
    long createdAtEpochMillis,
    Expiry expiry) {}
