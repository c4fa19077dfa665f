package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.store.postgres.WaitingCalls.Pending;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Natural batching: one statement is under way, and calls that arrive meanwhile travel with the
 * next. A call waits for nothing while no statement is under way, except that {@link Turns} may
 * hold a small batch back until a statement of another kind ends. If a statement fails because of
 * one of its calls, or cannot be built, its calls are sent again one by one. Confined to the event
 * loop of its link.
 *
 * @param <I> a call
 * @param <R> its result
 */
final class Batcher<I, R> {

  /** The statement was not sent: the application's description of an effect is invalid. */
  private static final class Unsent extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unsent(RuntimeException cause) {
      super(cause.toString(), cause);
    }
  }

  private final Link link;
  private final BatchStatement<I, R> statement;
  private final Turns.Side turn;
  private final WaitingCalls<I, R> waiting;
  private boolean busy;
  private boolean pumping;

  /** Makes a batcher that never waits for another kind of statement. */
  Batcher(Link link, BatchStatement<I, R> statement, Limits limits) {
    this(link, statement, limits, Turns.none(link.context()));
  }

  /** Makes a batcher that takes turns with the statements of another kind. */
  Batcher(Link link, BatchStatement<I, R> statement, Limits limits, Turns.Side turn) {
    this.link = link;
    this.statement = statement;
    this.waiting = new WaitingCalls<>(statement, limits);
    this.turn = turn;
    turn.onTurn(this::pump);
  }

  /** Sends a call with the next statement; fails with {@link StoreException} alone. */
  Future<R> submit(I call) {
    Future<R> result = waiting.add(call);
    pump();
    return result;
  }

  /** Sends the next statement, and those after it as long as each ends at once. */
  private void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      while (maySend()) {
        busy = true;
        link.ready()
            .onComplete(
                connected -> {
                  if (connected.failed()) {
                    busy = false;
                    waiting.failAll(connected.cause());
                  } else {
                    sendNext();
                  }
                });
      }
    } finally {
      pumping = false;
    }
  }

  private boolean maySend() {
    return !busy && !waiting.isEmpty() && (waiting.isNextAlone() || !turn.holds(waiting.size()));
  }

  private void sendNext() {
    List<Pending<I, R>> batch = waiting.next();
    if (batch.isEmpty()) {
      busy = false;
      pump();
      return;
    }
    turn.began(batch.size());
    List<I> calls = new ArrayList<>(batch.size());
    batch.forEach(it -> calls.add(it.call));
    run(calls)
        .onComplete(
            done -> {
              busy = false;
              turn.ended();
              if (done.succeeded()) {
                settle(batch, done.result());
              } else {
                failed(batch, done.cause());
              }
              pump();
              turn.passOn();
            });
  }

  /** An exception of the application must not leave the batcher busy forever. */
  private Future<List<Verdict<R>>> run(List<I> calls) {
    try {
      return statement.run(link, calls);
    } catch (RuntimeException broken) {
      return Future.failedFuture(new Unsent(broken));
    }
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
      if (pending.mayTry(again.tries()) && !waiting.isLate(pending)) {
        waiting.putBack(pending);
      } else {
        settle(pending, again.lastResort());
      }
    }
  }

  private void failed(List<Pending<I, R>> batch, Throwable cause) {
    if (cause instanceof Unsent unsent) {
      if (batch.size() == 1) {
        waiting.failUnsent(batch.get(0), Objects.requireNonNull(unsent.getCause()));
      } else {
        waiting.putBackOneByOne(batch);
      }
    } else if (!(cause instanceof PgException refused)) {
      failAll(batch, cause);
    } else if (batch.size() == 1) {
      refusedAlone(batch.get(0), refused);
    } else if (SqlState.mayConcernOneOfMany(refused)) {
      waiting.putBackOneByOne(batch);
    } else {
      failAll(batch, cause);
    }
  }

  private void refusedAlone(Pending<I, R> pending, PgException refused) {
    if (SqlState.isContention(refused) && !waiting.isLate(pending)) {
      waiting.putBackAlone(pending);
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
    waiting.failAll(Failures.hopeless("the store is closed"));
  }
}
