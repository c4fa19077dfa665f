package dev.latchkey.store.postgres.batch;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.store.postgres.batch.CallQueue.Pending;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.connection.SqlState;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Natural batching: one statement is under way, and calls that arrive meanwhile share the next. A
 * call waits for nothing while no statement is under way, except that {@link TurnTaking} may hold a
 * small batch back until a statement of another kind ends. If a statement fails because of one of
 * its calls, or cannot be built, its calls are sent again one by one. Confined to the event loop of
 * its connection.
 *
 * @param <I> a call
 * @param <R> its result
 */
public final class Batcher<I, R> {

  /** The statement was not sent: the application's description of an effect is invalid. */
  private static final class Unsent extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unsent(RuntimeException cause) {
      super(cause.toString(), cause);
    }
  }

  private final ReconnectingConnection connection;
  private final BatchStatement<I, R> statement;
  private final TurnTaking.Turn turn;
  private final CallQueue<I, R> queue;
  private boolean busy;
  private boolean sending;

  /** Makes a batcher that never waits for another kind of statement. */
  public Batcher(ReconnectingConnection connection, BatchStatement<I, R> statement) {
    this(connection, statement, TurnTaking.single(connection.context()));
  }

  /** Makes a batcher that takes turns with the statements of another kind. */
  public Batcher(
      ReconnectingConnection connection, BatchStatement<I, R> statement, TurnTaking.Turn turn) {
    this.connection = connection;
    this.statement = statement;
    this.queue = new CallQueue<>(statement, connection.limits());
    this.turn = turn;
    turn.onTurn(this::send);
  }

  /** Sends a call with the next statement; fails only with {@link StoreException}. */
  public Future<R> submit(I call) {
    Future<R> result = queue.add(call);
    send();
    return result;
  }

  /** Sends the next statement, and those after it as long as each ends at once. */
  private void send() {
    if (sending) {
      return;
    }
    sending = true;
    try {
      while (maySend()) {
        busy = true;
        connection
            .ready()
            .onComplete(
                connected -> {
                  if (connected.failed()) {
                    busy = false;
                    queue.failAll(connected.cause());
                  } else {
                    sendNext();
                  }
                });
      }
    } finally {
      sending = false;
    }
  }

  private boolean maySend() {
    return !busy && !queue.isEmpty() && (queue.isNextAlone() || !turn.waits(queue.size()));
  }

  private void sendNext() {
    List<Pending<I, R>> batch = queue.next();
    if (batch.isEmpty()) {
      busy = false;
      send();
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
                for (int i = 0; i < batch.size(); i++) {
                  finish(batch.get(i), done.result().get(i));
                }
              } else {
                failed(batch, done.cause());
              }
              send();
              turn.passOn();
            });
  }

  /** An exception of the application must not leave the batcher busy forever. */
  private Future<List<CallOutcome<R>>> run(List<I> calls) {
    try {
      return statement.run(connection, calls);
    } catch (RuntimeException invalid) {
      return Future.failedFuture(new Unsent(invalid));
    }
  }

  private void finish(Pending<I, R> pending, CallOutcome<R> outcome) {
    if (outcome instanceof CallOutcome.Done<R> done) {
      pending.promise.complete(done.result());
    } else if (outcome instanceof CallOutcome.Failed<R> failed) {
      pending.promise.fail(failed.failure());
    } else if (outcome instanceof CallOutcome.Retry<R> retry) {
      if (pending.mayTry(retry.tries()) && !queue.isLate(pending)) {
        queue.putBack(pending);
      } else {
        finish(pending, retry.lastResort());
      }
    }
  }

  private void failed(List<Pending<I, R>> batch, Throwable cause) {
    if (cause instanceof Unsent unsent) {
      if (batch.size() == 1) {
        queue.failInvalid(batch.get(0), Objects.requireNonNull(unsent.getCause()));
      } else {
        queue.putBackOneByOne(batch);
      }
    } else if (!(cause instanceof PgException refused)) {
      failAll(batch, cause);
    } else if (batch.size() == 1) {
      refusedAlone(batch.get(0), refused);
    } else if (SqlState.mayConcernOneOfMany(refused)) {
      queue.putBackOneByOne(batch);
    } else {
      failAll(batch, cause);
    }
  }

  private void refusedAlone(Pending<I, R> pending, PgException refused) {
    if (SqlState.isContention(refused) && !queue.isLate(pending)) {
      queue.putBackAlone(pending);
      return;
    }
    statement
        .refused(pending.call, refused)
        .ifPresentOrElse(pending.promise::complete, () -> failAll(List.of(pending), refused));
  }

  private void failAll(List<Pending<I, R>> batch, Throwable cause) {
    StoreException failure = Failures.of(statement.operation(), cause);
    batch.forEach(it -> it.promise.fail(failure));
  }

  /** Fails the calls that wait. */
  public void close() {
    queue.failAll(Failures.permanent("the store is closed"));
  }
}
