package dev.latchkey.ledger;

import java.util.Optional;

/**
 * Captured money given back.
 *
 * @param tenant whose
 * @param id {@code re_...}, unique
 * @param payment the payment's id
 * @param amount in minor units, as the PSP answered
 * @param reason the caller's words, if any
 * @param pspRefund the PSP's id of it, unique
 * @param derivedKey the key under which the PSP was asked for it
 * @param createdAtEpochMillis when it was booked
 */
public record Refund(
    String tenant,
    String id,
    String payment,
    long amount,
    Optional<String> reason,
    String pspRefund,
    String derivedKey,
    long createdAtEpochMillis) {}
