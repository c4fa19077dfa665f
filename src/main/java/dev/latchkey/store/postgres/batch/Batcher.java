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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Natural batching: one statement is under way, and calls that arrive meanwhile share the next. A
 * call waits for nothing while no statement is under way, except that {@link TurnTaking} may hold a
 * small batch back until a statement of another kind ends. If a statement fails, but not its
 * connection, its calls are sent again one by one; those that wait for a locked row over {@link
 * OtherConnections}, so that they delay no other call. Confined to the event loop of its
 * connection.
 *
 * @param <I> a call
 * @param <R> its result
 */
public final class Batcher<I, R> {

  /** Lends connections to calls that may have to wait for a locked row. */
  public interface OtherConnections {
    /** Runs an action on a ready connection that has no other user. */
    <T> Future<T> using(Function<ReconnectingConnection, Future<T>> action);
  }

  private final ReconnectingConnection connection;
  private final BatchStatement<I, R> statement;
  private final TurnTaking.Turn turn;
  private final CallQueue<I, R> queue;
  private final @Nullable OtherConnections others;
  private boolean busy;
  private boolean sending;

  /** Makes a batcher that uses one connection and waits for no other kind of statement. */
  public Batcher(ReconnectingConnection connection, BatchStatement<I, R> statement) {
    this(connection, statement, TurnTaking.single(connection.context()), null);
  }

  /**
   * Makes a batcher.
   *
   * @param turn takes turns with the statements of another kind
   * @param others for calls that met a locked row; null if these stay on the connection
   */
  public Batcher(
      ReconnectingConnection connection,
      BatchStatement<I, R> statement,
      TurnTaking.Turn turn,
      @Nullable OtherConnections others) {
    this.connection = connection;
    this.statement = statement;
    this.queue = new CallQueue<>(statement, connection.limits());
    this.turn = turn;
    this.others = others;
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
    statement
        .run(connection, calls)
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
    if (cause instanceof PgException refused && !SqlState.endsConnection(refused)) {
      refused(batch, refused);
    } else {
      failAll(batch, cause);
    }
  }

  private void refused(List<Pending<I, R>> batch, PgException cause) {
    boolean locked = SqlState.isContention(cause);
    if (batch.size() > 1 && (!locked || others == null)) {
      queue.putBackOneByOne(batch);
      return;
    }
    for (Pending<I, R> pending : batch) {
      if (!locked || queue.isLate(pending)) {
        statement
            .refused(pending.call, cause)
            .ifPresentOrElse(pending.promise::complete, () -> failAll(List.of(pending), cause));
      } else if (others == null) {
        queue.putBackAlone(pending);
      } else {
        sendOver(others, pending);
      }
    }
  }

  private void sendOver(OtherConnections others, Pending<I, R> pending) {
    others
        .using(other -> statement.run(other, List.of(pending.call)))
        .onSuccess(
            outcomes -> {
              finish(pending, outcomes.get(0));
              send();
            })
        .onFailure(cause -> failed(List.of(pending), cause));
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
