package dev.latchkey.store.postgres.connection;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayDeque;
import java.util.Objects;
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
  private final ArrayDeque<ReconnectingConnection> forStatements = new ArrayDeque<>();
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

  /** Returns the limits of the connections. */
  public Limits limits() {
    return limits;
  }

  /** Returns the context that all connections share. */
  public ContextInternal context() {
    return context;
  }

  /**
   * Returns a connection for statements: a new one, or one of those before if there are too many.
   *
   * @param reserved number of connections that are needed for other purposes
   */
  public ReconnectingConnection forStatements(int reserved) {
    if (forStatements.size() < Math.max(1, limits.maxConnections() - reserved)) {
      forStatements.add(add(SessionSettings.STATEMENTS));
    } else {
      forStatements.add(forStatements.remove());
    }
    return Objects.requireNonNull(forStatements.peekLast());
  }

  /** Returns how many connections may be added. */
  public int left() {
    return limits.maxConnections() - all.size();
  }

  /** Adds a connection, which is made when it is first used. */
  public ReconnectingConnection add(SessionSettings session) {
    return add(session, connect, outage);
  }

  /** Adds a connection for notifications. */
  public ReconnectingConnection addListening(PgConnectOptions at) {
    String server = at.getHost() + ":" + at.getPort();
    return add(SessionSettings.STATEMENTS, at, ServerOutage.of(context.owner(), server));
  }

  private ReconnectingConnection add(
      SessionSettings session, PgConnectOptions at, ServerOutage itsOutage) {
    ReconnectingConnection connection =
        new ReconnectingConnection(
            context, session.options(at, limits), limits, itsOutage, renewIdle);
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
