package dev.latchkey.ledger;

/**
 * How a payment came about; never changes.
 *
 * @param tenant whose payment it is
 * @param idempotencyKey the client's key of the request that made it
 * @param derivedKey the key under which the PSP was asked to charge
 * @param pspCharge the PSP's id of the charge, unique over all tenants
 * @param createdAtEpochMillis when it was made
 */
public record PaymentOrigin(
    String tenant,
    String idempotencyKey,
    String derivedKey,
    String pspCharge,
    long createdAtEpochMillis) {}
