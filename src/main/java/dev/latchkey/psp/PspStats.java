package dev.latchkey.psp;

/**
 * What the PSP counted since its state began.
 *
 * @param charges authorisations that succeeded
 * @param captured captures, automatic ones included
 * @param refunds refunds, the PSP's own included
 * @param declined declined charges
 * @param duplicatesSuppressed calls that were answered from an earlier use of their key
 * @param maxChargesPerKey the most charges that one idempotency key ever made; more than 1 is a
 *     defect of the PSP
 */
public record PspStats(
    long charges,
    long captured,
    long refunds,
    long declined,
    long duplicatesSuppressed,
    long maxChargesPerKey) {}
