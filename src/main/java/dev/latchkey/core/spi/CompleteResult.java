package dev.latchkey.core.spi;

/** What became of a completion. */
public sealed interface CompleteResult {

  /**
   * Record and effects are stored, now or by an earlier sending of the same completion.
   *
   * @param expiry when the key will be free
   */
  record Completed(Expiry expiry) implements CompleteResult {}

  /** The claim is not, or no longer, the caller's: nothing was written. */
  record LostLease() implements CompleteResult {}

  /**
   * An effect does not apply: nothing was written, the claim is still held.
   *
   * @param which the refused effect's {@link Effect#name()}
   * @param detail why, for the handler and the log; never shown to a client
   */
  record EffectRefused(String which, String detail) implements CompleteResult {}

  /** The work of a transaction gave no answer to store: nothing was written, the claim is held. */
  record RolledBack() implements CompleteResult {}
}
