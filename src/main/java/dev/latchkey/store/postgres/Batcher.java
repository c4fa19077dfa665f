package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.store.postgres.WaitingCalls.Pending;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;

/**
 * Natural batching: one statement under way, and whatever is asked for meanwhile travels with the
 * next. Nothing waits while nothing is under way; {@link Turns} may have a small batch wait for a
 * statement of another kind. When enough has come together behind a statement, the next does not
 * wait for it, but goes over another link, if there is one. A statement that fails for what one of
 * its calls may have done, or that cannot be put together, is sent again call by call. Confined to
 * the event loop of its links.
 *
 * @param <I> a call
 * @param <R> its result
 */
final class Batcher<I, R> {

  /** So many calls are worth a statement beside the one under way: its fixed part is shared. */
  static final int WORTH_ANOTHER = 8;

  /** A statement that was not sent, since what the application says of an effect is broken. */
  private static final class Unsent extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unsent(RuntimeException cause) {
      super(cause.toString(), cause);
    }
  }

  private final List<Link> links;
  private final BitSet busy = new BitSet();
  private final BitSet dialling = new BitSet();
  private final BatchStatement<I, R> statement;
  private final Turns.Side turn;
  private final WaitingCalls<I, R> waiting;
  private boolean pumping;

  /**
   * Makes a batcher.
   *
   * @param links as many statements are under way at a time; the first is the one that is used when
   *     there is little to do, and whose loss is everybody's
   */
  Batcher(List<Link> links, BatchStatement<I, R> statement, PostgresStoreOptions limits) {
    this(links, statement, limits, Turns.none(links.get(0).context()));
  }

  /**
   * Makes a batcher that minds the statements of another kind.
   *
   * @param turn its side of the two
   */
  Batcher(
      List<Link> links,
      BatchStatement<I, R> statement,
      PostgresStoreOptions limits,
      Turns.Side turn) {
    this.links = List.copyOf(links);
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

  /** Sends the next statement, and those after it as long as they are answered at once. */
  private void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      for (int free = free(); free >= 0; free = free()) {
        int place = free;
        busy.set(place);
        links
            .get(place)
            .ready()
            .onComplete(
                connected -> {
                  if (connected.failed()) {
                    busy.clear(place);
                    waiting.failAll(connected.cause());
                  } else {
                    sendNext(place);
                  }
                });
      }
    } finally {
      pumping = false;
    }
  }

  /** The link for the next statement, if one is to be sent now; else -1. */
  private int free() {
    if (waiting.isEmpty()) {
      return -1;
    }
    if (!busy.get(0)) {
      return !waiting.isNextAlone() && turn.holds(waiting.size()) ? -1 : 0;
    }
    for (int i = 1; i < links.size() && isWorthAnother(); i++) {
      if (links.get(i).isReady() && !busy.get(i)) {
        return i;
      }
      dial(i);
    }
    return -1;
  }

  /** A call that is sent by itself has nobody to wait for. */
  private boolean isWorthAnother() {
    return waiting.size() >= WORTH_ANOTHER || waiting.isNextAlone();
  }

  /** Connects for whoever waits by then; nobody's call depends on it. */
  private void dial(int place) {
    if (!links.get(place).isReady() && !dialling.get(place)) {
      dialling.set(place);
      links
          .get(place)
          .ready()
          .onComplete(
              connected -> {
                dialling.clear(place);
                if (connected.succeeded()) {
                  pump();
                }
              });
    }
  }

  private void sendNext(int place) {
    List<Pending<I, R>> batch = waiting.next();
    if (batch.isEmpty()) {
      busy.clear(place);
      pump();
      return;
    }
    turn.began(batch.size());
    List<I> calls = new ArrayList<>(batch.size());
    batch.forEach(it -> calls.add(it.call));
    Link link = links.get(place);
    run(link, calls)
        .onComplete(
            done -> {
              busy.clear(place);
              turn.ended();
              if (done.succeeded()) {
                settle(batch, done.result());
              } else {
                failed(link, batch, done.cause());
              }
              pump();
              turn.passOn();
            });
  }

  /** An application's error must not keep the link busy for ever. */
  private Future<List<Verdict<R>>> run(Link link, List<I> calls) {
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

  private void failed(Link link, List<Pending<I, R>> batch, Throwable cause) {
    if (cause instanceof Unsent unsent) {
      if (batch.size() == 1) {
        waiting.failUnsent(batch.get(0), Objects.requireNonNull(unsent.getCause()));
      } else {
        waiting.putBackOneByOne(batch);
      }
    } else if (!(cause instanceof PgException refused)) {
      failAll(batch, cause);
    } else if (batch.size() == 1) {
      refusedAlone(link, batch.get(0), refused);
    } else if (SqlState.mayConcernOneOfMany(refused)) {
      waiting.putBackOneByOne(batch);
    } else {
      failAll(batch, cause);
    }
  }

  private void refusedAlone(Link link, Pending<I, R> pending, PgException refused) {
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
