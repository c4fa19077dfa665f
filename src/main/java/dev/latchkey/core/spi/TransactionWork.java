package dev.latchkey.core.spi;

import io.vertx.core.Future;
import java.util.Optional;

/**
 * Business writes as code: run by a store inside the very transaction that completes a key, after
 * the claim's row was locked by its token, so that a fenced-out owner writes nothing. Run again in
 * a new transaction when an earlier one was rolled back; never twice at a time.
 *
 * @param <C> the store's kind of connection
 */
public interface TransactionWork<C> {

  /** Returns the kind of connection that the work wants. */
  Class<C> connectionType();

  /**
   * Writes, and makes the answer to store. Called on any thread, with the claim's row locked: quick
   * work on this connection alone.
   *
   * @param connection in the open transaction, which the work must not end; of no use afterwards
   * @return the answer to store with what was written; empty to roll everything back. Never fails
   */
  Future<Optional<StoredResponse>> run(C connection);
}
