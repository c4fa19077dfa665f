package dev.latchkey.psp.simulator;

/**
 * The counts of the simulator since its state was created.
 *
 * @param charges authorisations that succeeded
 * @param captured captures, including automatic ones
 * @param refunds refunds, including the PSP's own
 * @param declined declined charges
 * @param duplicatesSuppressed calls that got the result of an earlier call with their key
 * @param maxChargesPerKey the most charges of one idempotency key; more than 1 is a defect
 */
public record SimulatorStats(
    long charges,
    long captured,
    long refunds,
    long declined,
    long duplicatesSuppressed,
    long maxChargesPerKey) {}
