package dev.latchkey.store.postgres.connection;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** All connections of one user of a server, on one event loop of their own. Safe for any thread. */
public final class Connections {

  /** A table's name: whether the server accepts writes, and has the table. */
  private static final String PROBE =
      "SELECT "
          + Connector.IS_READ_ONLY
          + " AS read_only, to_regclass($1::text) IS NOT NULL AS migrated";

  private final PgConnectOptions connect;
  private final Limits limits;
  private final ServerOutage outage;
  private final ContextInternal context;
  private final Queue<ReconnectingConnection> all = new ConcurrentLinkedQueue<>();
  private final Queue<ReconnectingConnection> renewable = new ConcurrentLinkedQueue<>();
  private final Runnable renewIdle = this::renewIdle;
  private volatile boolean closed;

  /** Makes no connection yet. */
  public Connections(Vertx vertx, PgConnectOptions connect, Limits limits) {
    this.connect = connect;
    this.limits = limits;
    outage = ServerOutage.of(vertx, connect.getHost() + ":" + connect.getPort());
    outage.register(renewIdle);
    context = ((VertxInternal) vertx).createEventLoopContext();
  }

  /** Returns the context that all connections share. */
  public ContextInternal context() {
    return context;
  }

  /** Adds a connection, which is made when it is first used. */
  public ReconnectingConnection add(SessionSettings session) {
    ReconnectingConnection connection =
        new ReconnectingConnection(
            context, session.options(connect, limits), limits, outage, renewIdle);
    all.add(connection);
    if (session == SessionSettings.STATEMENTS) {
      // The others may be idle in the middle of a transaction.
      renewable.add(connection);
    }
    if (closed) {
      connection.close();
    }
    return connection;
  }

  /** Cuts idle connections, since remaking one is faster than finding out that it is dead. */
  private void renewIdle() {
    for (ReconnectingConnection connection : renewable) {
      context.runOnContext(ignored -> connection.dropIfIdle("another connection was given up"));
    }
  }

  /** Fails unless the server accepts writes and has a table. */
  public static Future<Void> probe(ReconnectingConnection connection, String table) {
    return connection.whenReady(
        () ->
            connection
                .send(PROBE, Tuple.of(table))
                .compose(rows -> judge(connection, rows.iterator().next())));
  }

  private static Future<Void> judge(ReconnectingConnection connection, Row probed) {
    if (probed.getBoolean("read_only")) {
      connection.dropIfIdle(Connector.READ_ONLY);
      return Future.failedFuture(Failures.notDone(Connector.READ_ONLY));
    }
    return probed.getBoolean("migrated")
        ? Future.succeededFuture()
        : Future.failedFuture(Failures.notDone("the schema is missing: migrate first"));
  }

  /** Closes the connections; statements under way fail. */
  public Future<Void> close() {
    closed = true;
    outage.unregister(renewIdle);
    return Future.join(all.stream().map(ReconnectingConnection::close).toList()).mapEmpty();
  }
}
