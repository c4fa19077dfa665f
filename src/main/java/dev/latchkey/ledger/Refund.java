package dev.latchkey.ledger;

import java.util.Optional;

/**
 * A refund of captured money. Immutable.
 *
 * @param tenant the owner
 * @param id {@code re_...}, unique
 * @param payment id of the payment
 * @param amount in minor units, as returned by the PSP
 * @param reason of the client, if any
 * @param pspRefund the PSP's id of the refund, unique
 * @param derivedKey the key of the refund request to the PSP
 * @param createdAtEpochMillis time of recording
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
