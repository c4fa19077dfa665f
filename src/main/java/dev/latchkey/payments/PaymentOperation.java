package dev.latchkey.payments;

import io.vertx.core.Future;

/**
 * A business operation behind an idempotency key. Whatever it sends to the PSP depends on the
 * command alone, so that every attempt sends the same.
 */
@FunctionalInterface
interface PaymentOperation<C extends Command> {

  /**
   * Runs one attempt.
   *
   * @param attempt in whose name
   * @param command what is asked for
   * @return what it came to, on any thread; fails when the ledger does
   */
  Future<Conclusion> run(CallContext attempt, C command);
}
