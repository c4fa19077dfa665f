package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * An application's own single statements beside a store: pipelined over a few connections of the
 * kind that the store uses, reads apart from writes, so that no read waits behind a locked row.
 * Each statement commits by itself and ends within a bounded time; a connection on which an answer
 * is overdue is cut and made anew. Few texts, since each is prepared once per connection and its
 * plan kept.
 *
 * <p>Safe for use by any thread; futures complete on an event loop of the connections.
 */
public final class PostgresStatements {

  /** As many connections for reads, and as many for writes. */
  private static final int CONNECTIONS = 2;

  private final Links links;
  private final List<Link> reads = new ArrayList<>();
  private final List<Link> writes = new ArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();

  private PostgresStatements(Links links) {
    this.links = links;
    for (int i = 0; i < CONNECTIONS; i++) {
      reads.add(links.onOwnLoop(Session.STATEMENTS));
      writes.add(links.onOwnLoop(Session.STATEMENTS));
    }
  }

  /**
   * Makes the connections when they are first used.
   *
   * @param vertx runs them; they end with it if nobody closes them before
   * @param connect where the server is; the session settings of a store are added
   * @param options limits in time and number
   * @return the statements' way to the server
   */
  public static PostgresStatements create(
      Vertx vertx, PgConnectOptions connect, PostgresStoreOptions options) {
    return new PostgresStatements(new Links(vertx, connect, options.limits()));
  }

  /**
   * Sends a statement that changes nothing, once more where a connection broke under it.
   *
   * @param operation names it in errors
   * @param sql with {@code $1} for the first value
   * @param values as the driver takes them
   * @return the rows; fails with {@link StoreException} alone, {@link Outcome#NOT_DONE}
   */
  public Future<RowSet<Row>> read(String operation, String sql, Tuple values) {
    Link link = next(reads);
    Supplier<Future<RowSet<Row>>> sending = () -> link.send(sql, values);
    return link.whenReady(sending)
        .recover(
            cause ->
                cause instanceof StoreException broken && broken.outcome() == Outcome.UNKNOWN
                    ? link.whenReady(sending)
                    : Future.failedFuture(cause))
        .recover(
            cause -> {
              StoreException told = Failures.of(operation, cause);
              return Future.failedFuture(
                  new StoreException(Outcome.NOT_DONE, String.valueOf(told.getMessage()), told));
            });
  }

  /**
   * Sends a statement that writes.
   *
   * @param operation names it in errors
   * @param sql with {@code $1} for the first value
   * @param values as the driver takes them
   * @return the rows; fails with {@link StoreException} alone
   */
  public Future<RowSet<Row>> write(String operation, String sql, Tuple values) {
    Link link = next(writes);
    return Failures.told(operation, link.whenReady(() -> link.send(sql, values)));
  }

  private Link next(List<Link> among) {
    return among.get(Math.floorMod(turn.getAndIncrement(), among.size()));
  }

  /** Ends the connections. */
  public Future<Void> close() {
    return links.close();
  }
}
