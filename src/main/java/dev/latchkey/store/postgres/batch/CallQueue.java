package dev.latchkey.store.postgres.batch;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.Limits;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The calls that wait for a statement, in order of arrival, limited in number and in time. Confined
 * to the event loop of its {@link Batcher}.
 *
 * @param <I> a call
 * @param <R> its result
 */
final class CallQueue<I, R> {

  /** How many batches behind the first call are searched for calls that fit. */
  private static final int LOOK_AHEAD = 4;

  /** A call from its arrival until its future completes. */
  static final class Pending<I, R> {
    final I call;
    final Promise<R> promise = Promise.promise();
    private final long arrivedNanos = System.nanoTime();
    private boolean alone;
    private int tries;

    Pending(I call) {
      this.call = call;
    }

    /** Counts a try; returns false if there were that many. */
    boolean mayTry(int tries) {
      return ++this.tries < tries;
    }
  }

  private final BatchStatement<I, R> statement;
  private final Limits limits;
  private final ArrayDeque<Pending<I, R>> calls = new ArrayDeque<>();

  CallQueue(BatchStatement<I, R> statement, Limits limits) {
    this.statement = statement;
    this.limits = limits;
  }

  int size() {
    return calls.size();
  }

  boolean isEmpty() {
    return calls.isEmpty();
  }

  /** Whether the next statement is for a single call that must be sent alone. */
  boolean isNextAlone() {
    return calls.element().alone;
  }

  /** Adds a call, or fails it if there are too many. */
  Future<R> add(I call) {
    if (calls.size() >= limits.maxQueue()) {
      return Future.failedFuture(
          Failures.of(statement.operation(), Failures.tooManyWait(calls.size())));
    }
    Pending<I, R> pending = new Pending<>(call);
    calls.add(pending);
    return pending.promise.future();
  }

  /** Puts a call back, behind the others. */
  void putBack(Pending<I, R> pending) {
    calls.add(pending);
  }

  /** Puts a call back, behind the others, to be sent alone. */
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
   * Takes the calls of the next statement, and fails those that have waited too long. The latter
   * happens last, since their callers may call again at once.
   */
  List<Pending<I, R>> next() {
    List<Pending<I, R>> batch = new ArrayList<>();
    List<Pending<I, R>> late = new ArrayList<>(0);
    Predicate<I> fits = statement.fitting();
    long bytes = 0;
    int looks = LOOK_AHEAD * limits.maxBatch();
    Iterator<Pending<I, R>> each = calls.iterator();
    while (each.hasNext() && batch.size() < limits.maxBatch() && looks-- > 0) {
      Pending<I, R> pending = each.next();
      if (isLate(pending)) {
        each.remove();
        late.add(pending);
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
    late.forEach(this::failLate);
    return batch;
  }

  private void failLate(Pending<I, R> pending) {
    String reason = "waited longer than " + limits.queueLimitMillis() + " ms for its turn";
    pending.promise.fail(Failures.of(statement.operation(), Failures.notDone(reason)));
  }

  /** Whether a call has waited too long for another try. */
  boolean isLate(Pending<I, R> pending) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - pending.arrivedNanos);
    return millis > limits.queueLimitMillis();
  }

  /** Fails all calls. */
  void failAll(Throwable cause) {
    List<Pending<I, R>> all = new ArrayList<>(calls);
    calls.clear();
    StoreException failure = Failures.of(statement.operation(), cause);
    all.forEach(it -> it.promise.fail(failure));
  }
}
