package dev.latchkey.store.postgres;

import dev.latchkey.idempotency.spi.StoreException;
import dev.latchkey.idempotency.spi.StoreException.Outcome;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.pgclient.PgException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Natural batching: at most one statement under way, and whatever is asked for meanwhile travels
 * with the next. Nothing waits while nothing is under way. A statement that fails for what one of
 * its calls may have done is sent again call by call. Confined to the link's event loop.
 *
 * @param <I> a call
 * @param <R> its result
 */
final class Batcher<I, R> {

  /** How far behind the first call others are looked for that fit into its statement. */
  private static final int LOOK_AHEAD = 4;

  private static final class Pending<I, R> {
    final I call;
    final Promise<R> promise = Promise.promise();
    final long arrivedNanos = System.nanoTime();
    boolean alone;
    int tries;

    Pending(I call) {
      this.call = call;
    }
  }

  private final Link link;
  private final BatchStatement<I, R> statement;
  private final PostgresStoreOptions limits;
  private final ArrayDeque<Pending<I, R>> waiting = new ArrayDeque<>();
  private boolean busy;
  private boolean pumping;
  private long sent;

  Batcher(Link link, BatchStatement<I, R> statement, PostgresStoreOptions limits) {
    this.link = link;
    this.statement = statement;
    this.limits = limits;
  }

  /** Sends a call with the next statement; fails with {@link StoreException} alone. */
  Future<R> submit(I call) {
    if (waiting.size() >= limits.maxQueue()) {
      return Future.failedFuture(
          Failures.notDone(
              statement.operation() + ": " + waiting.size() + " calls wait for Postgres already"));
    }
    Pending<I, R> pending = new Pending<>(call);
    waiting.add(pending);
    pump();
    return pending.promise.future();
  }

  /** How many statements were sent so far. */
  long sent() {
    return sent;
  }

  /** Sends the next statement, and those after it as long as they are answered at once. */
  private void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      while (!busy && !waiting.isEmpty()) {
        busy = true;
        link.ready()
            .onComplete(
                connected -> {
                  if (connected.failed()) {
                    failWaiting(connected.cause());
                  } else {
                    sendNext();
                  }
                });
      }
    } finally {
      pumping = false;
    }
  }

  private void failWaiting(Throwable cause) {
    busy = false;
    List<Pending<I, R>> all = new ArrayList<>(waiting);
    waiting.clear();
    StoreException failure = Failures.of(statement.operation(), cause);
    all.forEach(it -> it.promise.fail(failure));
  }

  private void sendNext() {
    List<Pending<I, R>> batch = next();
    if (batch.isEmpty()) {
      busy = false;
      pump();
      return;
    }
    sent++;
    List<I> calls = new ArrayList<>(batch.size());
    batch.forEach(it -> calls.add(it.call));
    statement
        .run(link, calls)
        .onComplete(
            done -> {
              busy = false;
              if (done.succeeded()) {
                settle(batch, done.result());
              } else {
                failed(batch, done.cause());
              }
              pump();
            });
  }

  private List<Pending<I, R>> next() {
    List<Pending<I, R>> batch = new ArrayList<>();
    Predicate<I> fits = statement.fitting();
    long bytes = 0;
    int looks = LOOK_AHEAD * limits.maxBatch();
    Iterator<Pending<I, R>> each = waiting.iterator();
    while (each.hasNext() && batch.size() < limits.maxBatch() && looks-- > 0) {
      Pending<I, R> pending = each.next();
      if (waitedTooLong(pending)) {
        each.remove();
        continue;
      }
      if (!batch.isEmpty() && (batch.get(0).alone || pending.alone)) {
        continue;
      }
      long more = statement.bytes(pending.call);
      boolean room = batch.isEmpty() || bytes + more <= limits.maxBatchBytes();
      if (room && fits.test(pending.call)) {
        each.remove();
        batch.add(pending);
        bytes += more;
      }
    }
    return batch;
  }

  private boolean waitedTooLong(Pending<I, R> pending) {
    if (!isLate(pending)) {
      return false;
    }
    pending.promise.fail(
        Failures.notDone(
            statement.operation()
                + ": waited longer than "
                + limits.queueLimitMillis()
                + " ms for its turn"));
    return true;
  }

  private boolean isLate(Pending<I, R> pending) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - pending.arrivedNanos);
    return millis > limits.queueLimitMillis();
  }

  private void settle(List<Pending<I, R>> batch, List<Verdict<R>> verdicts) {
    for (int i = 0; i < batch.size(); i++) {
      settle(batch.get(i), verdicts.get(i));
    }
  }

  private void settle(Pending<I, R> pending, Verdict<R> verdict) {
    if (verdict instanceof Verdict.Settled<R> settled) {
      pending.promise.complete(settled.result());
    } else if (verdict instanceof Verdict.Failed<R> failed) {
      pending.promise.fail(failed.failure());
    } else if (verdict instanceof Verdict.Again<R> again) {
      if (++pending.tries < again.tries() && !isLate(pending)) {
        waiting.add(pending);
      } else {
        settle(pending, again.lastResort());
      }
    }
  }

  private void failed(List<Pending<I, R>> batch, Throwable cause) {
    if (!(cause instanceof PgException refused)) {
      failAll(batch, cause);
    } else if (batch.size() == 1) {
      refusedAlone(batch.get(0), refused);
    } else if (SqlState.mayConcernOneOfMany(refused)) {
      for (int i = batch.size() - 1; i >= 0; i--) {
        batch.get(i).alone = true;
        waiting.addFirst(batch.get(i));
      }
    } else {
      failAll(batch, cause);
    }
  }

  private void refusedAlone(Pending<I, R> pending, PgException refused) {
    if (SqlState.isContention(refused) && !isLate(pending)) {
      pending.alone = true;
      waiting.add(pending);
      return;
    }
    statement
        .refused(link, pending.call, refused)
        .orElseGet(() -> Future.failedFuture(refused))
        .onSuccess(pending.promise::complete)
        .onFailure(cause -> pending.promise.fail(Failures.of(statement.operation(), cause)));
  }

  private void failAll(List<Pending<I, R>> batch, Throwable cause) {
    StoreException failure = Failures.of(statement.operation(), cause);
    batch.forEach(it -> it.promise.fail(failure));
  }

  /** Fails what is still waiting. */
  void close() {
    failWaiting(new StoreException(Outcome.NOT_DONE, "the store is closed; a retry cannot help"));
  }
}
