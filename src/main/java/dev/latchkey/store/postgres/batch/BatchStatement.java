package dev.latchkey.store.postgres.batch;

import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A statement over many calls of one kind.
 *
 * @param <I> a call
 * @param <R> its result
 */
public interface BatchStatement<I, R> {

  /** Returns the name of the calls in messages. */
  String operation();

  /** Returns the approximate size of a call's parameters in bytes. */
  default long bytes(I call) {
    return 200;
  }

  /** Returns a stateful test of which calls, in the order of the tests, fit into one statement. */
  Predicate<I> fitting();

  /**
   * Sends the statement over a connection that is ready.
   *
   * @return an outcome for each call, in their order; fails if the statement as a whole failed
   */
  Future<List<CallOutcome<R>>> run(ReconnectingConnection connection, List<I> calls);

  /**
   * Interprets the server's refusal of a statement with only this call.
   *
   * @return the call's result; empty if the refusal is a failure
   */
  default Optional<R> refused(I call, PgException cause) {
    return Optional.empty();
  }
}
