package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The calls of one kind that wait for their statement, in the order in which they came, bounded in
 * number and in time. Confined to the event loop of the {@link Batcher} that has it.
 *
 * @param <I> a call
 * @param <R> its result
 */
final class WaitingCalls<I, R> {

  /** How far behind the first call others are looked for that fit into its statement. */
  private static final int LOOK_AHEAD = 4;

  /** A call, from when it is asked for until its future ends. */
  static final class Pending<I, R> {
    final I call;
    final Promise<R> promise = Promise.promise();
    private final long arrivedNanos = System.nanoTime();
    private boolean alone;
    private int tries;

    Pending(I call) {
      this.call = call;
    }

    /** Counts one more try; false when there were as many as that already. */
    boolean mayTry(int tries) {
      return ++this.tries < tries;
    }
  }

  private final BatchStatement<I, R> statement;
  private final Limits limits;
  private final ArrayDeque<Pending<I, R>> calls = new ArrayDeque<>();

  WaitingCalls(BatchStatement<I, R> statement, Limits limits) {
    this.statement = statement;
    this.limits = limits;
  }

  int size() {
    return calls.size();
  }

  boolean isEmpty() {
    return calls.isEmpty();
  }

  /** Whether the next statement is for one call that has to travel by itself. */
  boolean isNextAlone() {
    return calls.element().alone;
  }

  /** Adds a call behind the others, or refuses it where there are too many. */
  Future<R> add(I call) {
    if (calls.size() >= limits.maxQueue()) {
      return Future.failedFuture(notDone(calls.size() + " calls wait for Postgres already"));
    }
    Pending<I, R> pending = new Pending<>(call);
    calls.add(pending);
    return pending.promise.future();
  }

  /** Puts a call back, behind the others. */
  void putBack(Pending<I, R> pending) {
    calls.add(pending);
  }

  /** Puts a call back, to be sent by itself. */
  void putBackAlone(Pending<I, R> pending) {
    pending.alone = true;
    calls.add(pending);
  }

  /** Puts the calls of a statement back, before the others, to be sent one by one. */
  void putBackOneByOne(List<Pending<I, R>> batch) {
    for (int i = batch.size() - 1; i >= 0; i--) {
      batch.get(i).alone = true;
      calls.addFirst(batch.get(i));
    }
  }

  /**
   * Takes what goes with the next statement; fails what has waited too long, once the calls are as
   * they will be: whoever is told may call again at once.
   */
  List<Pending<I, R>> next() {
    List<Pending<I, R>> batch = new ArrayList<>();
    List<Runnable> failing = new ArrayList<>(0);
    Predicate<I> fits = statement.fitting();
    long bytes = 0;
    int looks = LOOK_AHEAD * limits.maxBatch();
    Iterator<Pending<I, R>> each = calls.iterator();
    while (each.hasNext() && batch.size() < limits.maxBatch() && looks-- > 0) {
      Pending<I, R> pending = each.next();
      if (isLate(pending)) {
        each.remove();
        failing.add(() -> failLate(pending));
        continue;
      }
      if (!batch.isEmpty() && (batch.get(0).alone || pending.alone)) {
        continue;
      }
      long more = statement.bytes(pending.call);
      boolean room = batch.isEmpty() || bytes + more <= limits.maxBatchBytes();
      try {
        if (room && fits.test(pending.call)) {
          each.remove();
          batch.add(pending);
          bytes += more;
        }
      } catch (RuntimeException broken) {
        each.remove();
        failing.add(() -> failUnsent(pending, broken));
      }
    }
    failing.forEach(Runnable::run);
    return batch;
  }

  private void failLate(Pending<I, R> pending) {
    pending.promise.fail(
        notDone("waited longer than " + limits.queueLimitMillis() + " ms for its turn"));
  }

  /** Whether a call has waited so long that it is not to be tried again. */
  boolean isLate(Pending<I, R> pending) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - pending.arrivedNanos);
    return millis > limits.queueLimitMillis();
  }

  /** Fails a call that its own application made impossible to send. */
  void failUnsent(Pending<I, R> pending, Throwable broken) {
    pending.promise.fail(
        Failures.hopeless(statement.operation() + ": cannot be put into a statement: " + broken));
  }

  /** Fails every call that waits. */
  void failAll(Throwable cause) {
    List<Pending<I, R>> all = new ArrayList<>(calls);
    calls.clear();
    StoreException failure = Failures.of(statement.operation(), cause);
    all.forEach(it -> it.promise.fail(failure));
  }

  private StoreException notDone(String why) {
    return Failures.notDone(statement.operation() + ": " + why);
  }
}
