package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.store.postgres.connection.Connections;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
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
 * Single statements of an application, pipelined over a few connections like those of the store:
 * reads separate from writes, so that no read waits behind a locked row. Each statement commits by
 * itself and ends within a limited time; a connection that exceeds it is cut and remade. Use few
 * different texts, since each is prepared once per connection.
 *
 * <p>Safe for use by any thread; futures complete on an event loop of the connections.
 */
public final class PostgresStatements {

  /** For reads, and as many for writes. */
  private static final int CONNECTIONS = 2;

  private final Connections connections;
  private final List<ReconnectingConnection> reads = new ArrayList<>();
  private final List<ReconnectingConnection> writes = new ArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();

  private PostgresStatements(Connections connections) {
    this.connections = connections;
    for (int i = 0; i < CONNECTIONS; i++) {
      reads.add(connections.forStatements(0));
      writes.add(connections.forStatements(0));
    }
  }

  /**
   * Creates the statements; connections are made when they are first used.
   *
   * @param vertx runs the connections; closing it closes them
   * @param connect server and credentials; the session settings of a store are added
   * @param options limits in time and number
   */
  public static PostgresStatements create(
      Vertx vertx, PgConnectOptions connect, PostgresStoreOptions options) {
    return new PostgresStatements(new Connections(vertx, connect, options.limits()));
  }

  /**
   * Sends a statement that changes nothing; once more if its connection breaks.
   *
   * @param operation names it in errors
   * @param sql with {@code $1} for the first value
   * @param values as the driver expects them
   * @return the rows; fails only with {@link StoreException}, {@link Outcome#NOT_DONE}
   */
  public Future<RowSet<Row>> read(String operation, String sql, Tuple values) {
    ReconnectingConnection connection = next(reads);
    Supplier<Future<RowSet<Row>>> sending = () -> connection.send(sql, values);
    return connection
        .whenReady(sending)
        .recover(
            cause ->
                cause instanceof StoreException broken && broken.outcome() == Outcome.UNKNOWN
                    ? connection.whenReady(sending)
                    : Future.failedFuture(cause))
        .recover(
            cause -> {
              StoreException failure = Failures.of(operation, cause);
              return Future.failedFuture(
                  new StoreException(
                      Outcome.NOT_DONE, String.valueOf(failure.getMessage()), failure));
            });
  }

  /**
   * Sends a statement that writes.
   *
   * @param operation names it in errors
   * @param sql with {@code $1} for the first value
   * @param values as the driver expects them
   * @return the rows; fails only with {@link StoreException}
   */
  public Future<RowSet<Row>> write(String operation, String sql, Tuple values) {
    ReconnectingConnection connection = next(writes);
    return Failures.converted(operation, connection.whenReady(() -> connection.send(sql, values)));
  }

  private ReconnectingConnection next(List<ReconnectingConnection> among) {
    return among.get(Math.floorMod(turn.getAndIncrement(), among.size()));
  }

  /** Closes the connections. */
  public Future<Void> close() {
    return connections.close();
  }
}
