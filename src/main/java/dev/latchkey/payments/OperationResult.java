package dev.latchkey.payments;

import dev.latchkey.ledger.LedgerEffect;
import dev.latchkey.web.Problem;
import io.vertx.core.Future;
import java.util.function.Supplier;

/** The result of an operation on payments. */
sealed interface OperationResult {

  /**
   * The operation succeeded and is in the ledger already.
   *
   * @param response for the client
   */
  record Recorded(ApiResponse response) implements OperationResult {}

  /**
   * The operation succeeded and is in the ledger once the effect is applied.
   *
   * @param response for the client, valid if the effect is applied
   * @param effect to store with the response
   * @param ifRefused computes the result if the effect does not apply; does not call the PSP
   */
  record Unrecorded(
      ApiResponse response, LedgerEffect effect, Supplier<Future<OperationResult>> ifRefused)
      implements OperationResult {}

  /**
   * The operation failed, or its outcome is unknown.
   *
   * @param problem for the client
   */
  record Failed(Problem problem) implements OperationResult {}
}
