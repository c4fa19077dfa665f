package dev.latchkey.core.spi;

import io.vertx.core.Future;
import java.util.Optional;

/**
 * Business writes as code. The store runs it inside the transaction that completes the key, after
 * locking the claim's row by its token, so a superseded owner writes nothing. It runs again in a
 * new transaction if an earlier one was rolled back; runs never overlap.
 *
 * @param <C> the store's connection type
 */
public interface TransactionWork<C> {

  /** Returns the connection type that the work needs. */
  Class<C> connectionType();

  /**
   * Writes and makes the response to store. Called on any thread with the claim's row locked: do
   * quick work on this connection only.
   *
   * @param connection in the open transaction, which the work must not end; invalid afterwards
   * @return the response to store; empty to roll back. Never fails
   */
  Future<Optional<StoredResponse>> run(C connection);
}
