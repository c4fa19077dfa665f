package dev.latchkey.store.postgres;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayDeque;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A bounded number of connections, each used by one transaction at a time; made when they are
 * needed and kept. Confined to the event loop of its context, save {@link #using}.
 */
final class LinkPool {

  private final Supplier<Link> source;
  private final ContextInternal context;
  private final Limits limits;
  private final ArrayDeque<Link> free = new ArrayDeque<>();
  private final ArrayDeque<Promise<Link>> waiting = new ArrayDeque<>();
  private int made;
  private boolean closed;

  LinkPool(Supplier<Link> source, ContextInternal context, Limits limits) {
    this.source = source;
    this.context = context;
    this.limits = limits;
  }

  /** Does something on a connection of its own, on the pool's event loop; from any thread. */
  <T> Future<T> using(Function<Link, Future<T>> action) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(
        ignored ->
            take()
                .compose(
                    link ->
                        link.ready()
                            .compose(connected -> action.apply(link))
                            .onComplete(done -> giveBack(link)))
                .onComplete(promise));
    return promise.future();
  }

  private Future<Link> take() {
    if (closed) {
      return Future.failedFuture(Failures.hopeless("the store is closed"));
    }
    Link link = free.poll();
    if (link != null) {
      return Future.succeededFuture(link);
    }
    if (made < limits.maxTransactions()) {
      made++;
      return Future.succeededFuture(source.get());
    }
    if (waiting.size() >= limits.maxQueue()) {
      return Future.failedFuture(
          Failures.notDone(waiting.size() + " transactions wait for a connection already"));
    }
    Promise<Link> promise = Promise.promise();
    waiting.add(promise);
    long timer =
        context.setTimer(
            limits.queueLimitMillis(),
            ignored -> {
              waiting.remove(promise);
              promise.tryFail(
                  Failures.notDone(
                      "no connection was free within " + limits.queueLimitMillis() + " ms"));
            });
    return promise.future().onComplete(done -> context.owner().cancelTimer(timer));
  }

  private void giveBack(Link link) {
    Promise<Link> next = waiting.poll();
    if (next == null) {
      free.push(link);
    } else if (!next.tryComplete(link)) {
      giveBack(link);
    }
  }

  /** Takes no more work; the connections are closed by whoever made them. */
  Future<Void> close() {
    Promise<Void> promise = Promise.promise();
    context.runOnContext(
        ignored -> {
          closed = true;
          promise.complete();
        });
    return promise.future();
  }
}
