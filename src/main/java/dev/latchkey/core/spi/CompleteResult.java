package dev.latchkey.core.spi;

/** The result of a completion. */
public sealed interface CompleteResult {

  /**
   * The response and the effects are stored, now or by an earlier copy of the same completion.
   *
   * @param expiry when the key expires
   */
  record Completed(Expiry expiry) implements CompleteResult {}

  /** The caller does not hold the claim. Nothing was written. */
  record LostLease() implements CompleteResult {}

  /**
   * An effect does not apply. Nothing was written; the caller still holds the claim.
   *
   * @param which {@link Effect#name()} of the refused effect
   * @param detail the reason, for the handler and the log; never for a client
   */
  record EffectRefused(String which, String detail) implements CompleteResult {}

  /** The transaction made no response. Nothing was written; the caller still holds the claim. */
  record RolledBack() implements CompleteResult {}
}
