package dev.latchkey.store.postgres;

import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One statement over many calls of one kind.
 *
 * @param <I> a call
 * @param <R> its result
 */
interface BatchStatement<I, R> {

  /** Returns what the calls are called in messages. */
  String operation();

  /** Returns roughly how many bytes a call brings along. */
  long bytes(I call);

  /** Returns a new test of which calls, asked one after another, fit into one statement. */
  Predicate<I> fitting();

  /**
   * Runs the statement on a link that is ready.
   *
   * @return one verdict for each call, in their order; fails when the statement as a whole did
   */
  Future<List<Verdict<R>>> run(Link link, List<I> calls);

  /**
   * Tells what it means that the server refused a statement of this call alone.
   *
   * @return the call's result; empty when the store is broken
   */
  default Optional<Future<R>> refused(Link link, I call, PgException cause) {
    return Optional.empty();
  }
}
