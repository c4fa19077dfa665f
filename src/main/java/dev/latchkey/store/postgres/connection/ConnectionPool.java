package dev.latchkey.store.postgres.connection;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayDeque;
import java.util.function.Function;

/**
 * A limited number of connections, each used by one transaction at a time; made when they are
 * needed and kept. Confined to the event loop of its connections, except {@link #using}.
 */
public final class ConnectionPool {

  private final Connections connections;
  private final ContextInternal context;
  private final Limits limits;
  private final ArrayDeque<ReconnectingConnection> free = new ArrayDeque<>();
  private final ArrayDeque<Promise<ReconnectingConnection>> waiting = new ArrayDeque<>();
  private int made;

  /** Makes a pool without connections. */
  public ConnectionPool(Connections connections, Limits limits) {
    this.connections = connections;
    context = connections.context();
    this.limits = limits;
  }

  /** Runs an action on a connection that nobody else uses, on its event loop. On any thread. */
  public <T> Future<T> using(Function<ReconnectingConnection, Future<T>> action) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(
        ignored ->
            take()
                .compose(
                    connection ->
                        connection
                            .ready()
                            .compose(connected -> action.apply(connection))
                            .onComplete(done -> giveBack(connection)))
                .onComplete(promise));
    return promise.future();
  }

  private Future<ReconnectingConnection> take() {
    ReconnectingConnection connection = free.poll();
    if (connection != null) {
      return Future.succeededFuture(connection);
    }
    if (made < limits.maxTransactions()) {
      made++;
      return Future.succeededFuture(connections.add(SessionSettings.TRANSACTIONS));
    }
    if (waiting.size() >= limits.maxQueue()) {
      return Future.failedFuture(Failures.tooManyWait(waiting.size()));
    }
    Promise<ReconnectingConnection> promise = Promise.promise();
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

  private void giveBack(ReconnectingConnection connection) {
    Promise<ReconnectingConnection> next = waiting.poll();
    if (next == null) {
      free.push(connection);
    } else if (!next.tryComplete(connection)) {
      giveBack(connection);
    }
  }
}
