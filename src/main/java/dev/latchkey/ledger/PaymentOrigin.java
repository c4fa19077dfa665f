package dev.latchkey.ledger;

/**
 * The creation of a payment. Never changes.
 *
 * @param tenant the owner
 * @param idempotencyKey the client's key of the request that created the payment
 * @param derivedKey the key of the charge request to the PSP
 * @param pspCharge the PSP's id of the charge, unique over all tenants
 * @param createdAtEpochMillis time of creation
 */
public record PaymentOrigin(
    String tenant,
    String idempotencyKey,
    String derivedKey,
    String pspCharge,
    long createdAtEpochMillis) {}
