package dev.latchkey.store.postgres.batch;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.store.postgres.connection.Failures;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The outcome of a statement over many calls for one of them. */
public sealed interface CallOutcome<R> {

  /** The call has a result. */
  record Done<R>(R result) implements CallOutcome<R> {}

  /**
   * The row changed while the statement ran, so the call is sent again.
   *
   * @param tries maximum number of statements for the call
   * @param lastResort the outcome if the last of them has no other
   */
  record Retry<R>(int tries, CallOutcome<R> lastResort) implements CallOutcome<R> {}

  /** The call failed. */
  record Failed<R>(StoreException failure) implements CallOutcome<R> {}

  /** Returns the result or the failure. */
  default Future<R> future() {
    if (this instanceof Done<R> done) {
      return Future.succeededFuture(done.result());
    }
    return this instanceof Retry<R> retry
        ? retry.lastResort().future()
        : Future.failedFuture(((Failed<R>) this).failure());
  }

  /** Returns the same result for each of some calls. */
  static <R> List<CallOutcome<R>> all(List<?> calls, R result) {
    return Collections.nCopies(calls.size(), new Done<>(result));
  }

  /** Returns the outcome that follows from this one. */
  default <S> CallOutcome<S> then(Function<R, CallOutcome<S>> next) {
    if (this instanceof Done<R> done) {
      return next.apply(done.result());
    }
    return this instanceof Retry<R> retry
        ? new Retry<>(retry.tries(), retry.lastResort().then(next))
        : new Failed<>(((Failed<R>) this).failure());
  }

  /** Reads a result from a row; an unreadable row fails its own call alone. */
  static <R> CallOutcome<R> read(String operation, Row row, Function<Row, R> result) {
    try {
      return new Done<>(result.apply(row));
    } catch (StoreException unreadable) {
      return new Failed<>(Failures.of(operation, unreadable));
    } catch (RuntimeException unreadable) {
      return new Failed<>(Failures.permanent(operation + ": unreadable record: " + unreadable));
    }
  }

  /**
   * Reads the results of a statement whose rows have the number of their call, from 1, as {@code
   * ord}.
   *
   * @param result reads one row
   * @param others finds the outcomes of the calls without a row by a later statement
   * @return the outcomes of all calls, in their order; those of the others fail if that statement
   *     fails
   */
  static <I, R> Future<List<CallOutcome<R>>> ofRows(
      String operation,
      List<I> calls,
      RowSet<Row> rows,
      Function<Row, R> result,
      Function<List<I>, Future<List<CallOutcome<R>>>> others) {
    List<@Nullable CallOutcome<R>> outcomes = new ArrayList<>();
    calls.forEach(call -> outcomes.add(null));
    rows.forEach(row -> outcomes.set(place(row), read(operation, row, result)));
    int[] without = IntStream.range(0, calls.size()).filter(i -> outcomes.get(i) == null).toArray();
    if (without.length == 0) {
      return Future.succeededFuture(outcomes);
    }
    return others
        .apply(IntStream.of(without).mapToObj(calls::get).toList())
        .otherwise(
            cause -> {
              StoreException failure = Failures.of(operation + ": nothing was written", cause);
              return IntStream.of(without)
                  .mapToObj((IntFunction<CallOutcome<R>>) i -> new Failed<>(failure))
                  .toList();
            })
        .map(
            found -> {
              for (int i = 0; i < without.length; i++) {
                outcomes.set(without[i], found.get(i));
              }
              return outcomes;
            });
  }

  /** Returns the place of a row's call, from 0. */
  static int place(Row row) {
    return row.getLong("ord").intValue() - 1;
  }
}
