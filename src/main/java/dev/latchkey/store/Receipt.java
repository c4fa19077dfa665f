package dev.latchkey.store;

import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Token;

/**
 * The record of a stored response in the ledger, committed with its effects.
 *
 * @param fingerprint the request that the key names, with its member sketch
 * @param token of the attempt
 * @param attempt number of the attempt at the key, from 1
 * @param response the stored response
 * @param createdAtEpochMillis first use of the key
 * @param expiry when the key expires
 */
public record Receipt(
    Fingerprint fingerprint,
    Token token,
    int attempt,
    StoredResponse response,
    long createdAtEpochMillis,
    Expiry expiry) {}
