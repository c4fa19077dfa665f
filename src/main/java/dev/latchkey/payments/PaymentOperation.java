package dev.latchkey.payments;

import io.vertx.core.Future;
import java.util.function.UnaryOperator;

/**
 * An operation behind an idempotency key. What it sends to the PSP depends on the command alone, so
 * that every attempt sends the same.
 */
@FunctionalInterface
interface PaymentOperation<C extends Command> {

  /**
   * One execution of an operation.
   *
   * @param tenant the caller
   * @param idempotencyKey the client's key
   * @param downstreamKey derives the key of a PSP call from its name, the same on every attempt at
   *     this request
   */
  record Attempt(String tenant, String idempotencyKey, UnaryOperator<String> downstreamKey) {}

  /**
   * Runs one attempt.
   *
   * @param attempt the execution
   * @param command the request
   * @return the result, on any thread; fails if the ledger does
   */
  Future<OperationResult> run(Attempt attempt, C command);
}
