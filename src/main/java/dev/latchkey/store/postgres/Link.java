package dev.latchkey.store.postgres;

import dev.latchkey.idempotency.spi.StoreException;
import dev.latchkey.idempotency.spi.StoreException.Outcome;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.pgclient.spi.PgDriver;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import io.vertx.sqlclient.spi.ConnectionFactory;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection, made when it is needed and made anew when it broke. What is sent is pipelined and
 * answered within a limit; past it the connection is cut, since a server that stalls or a peer that
 * is gone can tell nothing. Confined to the event loop of its context, but for {@link #context}.
 */
final class Link {

  private static final int FIRST_WITH_TRANSACTION_TIMEOUT = 17;
  private static final long FIRST_BACK_OFF_MILLIS = 50;
  private static final long LAST_BACK_OFF_MILLIS = 1_000;

  private final ContextInternal context;
  private final PgConnectOptions connect;
  private final PostgresStoreOptions limits;

  /** Whom to tell of its loss; nobody where calls can do without it. */
  private final Optional<Outage> outage;

  private @Nullable ConnectionFactory<PgConnectOptions> factory;
  private @Nullable PgConnection connection;
  private @Nullable Future<PgConnection> connecting;
  private String lastFailure = "";
  private long backOffMillis;
  private long retryAtNanos = System.nanoTime();
  private int inFlight;
  private boolean closed;
  private Consumer<PgConnection> onConnect = it -> {};
  private @Nullable Runnable onLoss;
  private final Runnable onSilence;

  Link(
      ContextInternal context,
      PgConnectOptions connect,
      PostgresStoreOptions limits,
      Optional<Outage> outage,
      Runnable onSilence) {
    this.context = context;
    this.connect = connect;
    this.limits = limits;
    this.outage = outage;
    this.onSilence = onSilence;
  }

  /** Sets what is told of every new connection and of every loss of one, on the event loop. */
  void listen(Consumer<PgConnection> connected, Runnable lost) {
    onConnect = connected;
    onLoss = lost;
  }

  ContextInternal context() {
    return context;
  }

  PostgresStoreOptions limits() {
    return limits;
  }

  /** Does something on this link's event loop, at once if called there; what it throws fails it. */
  <T> Future<T> on(Supplier<Future<T>> action) {
    if (context.nettyEventLoop().inEventLoop()) {
      return begun(action);
    }
    Promise<T> promise = Promise.promise();
    context.runOnContext(ignored -> begun(action).onComplete(promise));
    return promise.future();
  }

  private static <T> Future<T> begun(Supplier<Future<T>> action) {
    try {
      return action.get();
    } catch (RuntimeException broken) {
      return Future.failedFuture(broken);
    }
  }

  /** Connects if need be; fails at once between two attempts. */
  Future<PgConnection> ready() {
    if (connection != null) {
      return Future.succeededFuture(connection);
    }
    if (closed) {
      return Future.failedFuture(Failures.notDone("the store is closed; a retry cannot help"));
    }
    if (connecting != null) {
      return connecting;
    }
    if (System.nanoTime() - retryAtNanos < 0) {
      return Future.failedFuture(Failures.notDone("no connection to Postgres: " + lastFailure));
    }
    return dial();
  }

  /** Whether there is a connection at this moment. */
  boolean isReady() {
    return connection != null;
  }

  /** The connection as it is; fails when it was lost, and never makes another. */
  Future<PgConnection> connected() {
    return connection != null
        ? Future.succeededFuture(connection)
        : Future.failedFuture(Failures.notDone("the connection was lost: " + lastFailure));
  }

  /** Connects if need be, and does something on this link's event loop. */
  <T> Future<T> whenReady(Supplier<Future<T>> sending) {
    return on(() -> ready().compose(connected -> sending.get()));
  }

  private Future<PgConnection> dial() {
    ConnectionFactory<PgConnectOptions> fresh =
        PgDriver.INSTANCE.createConnectionFactory(
            context.owner(), Sockets.cutWhenSilent(limits.connectLimitMillis()));
    factory = fresh;
    Promise<PgConnection> promise = Promise.promise();
    long timer =
        context.setTimer(
            limits.connectLimitMillis(),
            ignored ->
                promise.tryFail("no connection within " + limits.connectLimitMillis() + " ms"));
    Future<PgConnection> dialled = promise.future();
    dialled.onComplete(
        done -> {
          context.owner().cancelTimer(timer);
          if (factory == fresh) {
            dialled(done);
          }
        });
    Future<PgConnection> told =
        dialled.recover(
            cause ->
                Future.failedFuture(
                    Failures.notDone("cannot connect to Postgres: " + reason(cause))));
    connecting = told;
    fresh
        .connect(context, connect)
        .onSuccess(
            it -> {
              if (!promise.tryComplete((PgConnection) it)) {
                Sockets.cut(it);
              }
            })
        .onFailure(promise::tryFail);
    return told;
  }

  private void dialled(AsyncResult<PgConnection> done) {
    connecting = null;
    if (done.failed()) {
      lose(reason(done.cause()));
      return;
    }
    PgConnection made = done.result();
    Sockets.keep(made);
    connection = made;
    backOffMillis = 0;
    made.closeHandler(ignored -> context.runOnContext(v -> closedByServer(made)));
    made.exceptionHandler(ignored -> {});
    made.noticeHandler(ignored -> {});
    if (made.databaseMetadata().majorVersion() >= FIRST_WITH_TRANSACTION_TIMEOUT) {
      // Ends what no other limit of the server does: a transaction whose client is gone in the
      // middle of a message. Pipelined, so nobody waits for it.
      made.query("SET transaction_timeout = " + limits.statementLimitMillis()).execute();
    }
    outage.ifPresent(Outage::recovered);
    onConnect.accept(made);
  }

  private static String reason(Throwable cause) {
    if (cause instanceof PgException refused) {
      return Failures.sayOf(refused);
    }
    String message = cause.getMessage();
    return message == null ? cause.toString() : message;
  }

  private void closedByServer(PgConnection which) {
    if (connection == which) {
      String why = "the server closed the connection";
      if (isIdle()) {
        drop(why);
      } else {
        lose(why);
      }
    }
  }

  /** Whether nobody would miss the connection: nothing is under way, and nobody listens on it. */
  private boolean isIdle() {
    return inFlight == 0 && onLoss == null;
  }

  /**
   * Sends a prepared statement. The link must be {@link #ready}.
   *
   * @return the rows; fails with {@link PgException} when the server refused the statement, else
   *     with {@link StoreException}
   */
  Future<RowSet<Row>> send(String sql, Tuple values) {
    return send(limits.statementLimitMillis(), using -> using.preparedQuery(sql).execute(values));
  }

  /** As {@link #send(String, Tuple)}, for a command without values, such as {@code BEGIN}. */
  Future<RowSet<Row>> sendCommand(String sql, long limitMillis) {
    return send(limitMillis, using -> using.query(sql).execute());
  }

  Future<RowSet<Row>> sendCommand(String sql) {
    return sendCommand(sql, limits.statementLimitMillis());
  }

  private interface Sending {
    Future<RowSet<Row>> on(PgConnection connection);
  }

  private Future<RowSet<Row>> send(long limitMillis, Sending sending) {
    PgConnection using = connection;
    if (using == null) {
      return Future.failedFuture(Failures.notDone("no connection to Postgres: " + lastFailure));
    }
    if (inFlight >= limits.maxQueue()) {
      return Future.failedFuture(
          Failures.notDone(inFlight + " statements wait for Postgres already"));
    }
    inFlight++;
    Promise<RowSet<Row>> answer = Promise.promise();
    long timer =
        context.setTimer(
            limitMillis,
            ignored -> {
              String why = "no answer within " + limitMillis + " ms";
              // Cut first: whoever is told may ask again at once.
              if (!answer.future().isComplete() && connection == using) {
                silent(why);
              }
              answer.tryFail(new StoreException(Outcome.UNKNOWN, why));
            });
    sending
        .on(using)
        .onComplete(
            done -> {
              context.owner().cancelTimer(timer);
              inFlight--;
              if (done.succeeded()) {
                answer.tryComplete(done.result());
              } else {
                answer.tryFail(failed(using, done.cause()));
              }
            });
    return answer.future();
  }

  private Throwable failed(PgConnection using, Throwable cause) {
    if (!(cause instanceof PgException refused)) {
      if (isLoss(cause) && connection == using) {
        // The driver tells of its end later: whoever is told now may ask again at once.
        lose(reason(cause));
      }
      return new StoreException(
          Outcome.UNKNOWN, "the connection to Postgres broke: " + reason(cause), cause);
    }
    if (SqlState.endsConnection(refused) && connection == using) {
      lose(Failures.sayOf(refused));
    }
    return cause;
  }

  /** Whether the connection is gone, and not only this statement's values unfit to be sent. */
  private static boolean isLoss(Throwable cause) {
    return cause instanceof ClosedConnectionException || cause instanceof IOException;
  }

  /** Cuts a connection on which nothing was heard, and has those beside it looked at. */
  void silent(String why) {
    lose(why);
    onSilence.run();
  }

  /** Cuts the connection if nothing is under way on it: it is made anew sooner than found dead. */
  void renewIfIdle() {
    if (connection != null && inFlight == 0) {
      drop("another connection was silent");
      backOffMillis = 0;
      retryAtNanos = System.nanoTime();
    }
  }

  /** Cuts the connection, whatever is under way on it, and says so. */
  void lose(String why) {
    if (isWanted()) {
      outage.ifPresent(it -> it.lost(why));
    }
    drop(why);
  }

  private boolean isWanted() {
    return !closed && !context.owner().closeFuture().isClosed();
  }

  /** Cuts the connection. It is made anew when it is needed, and nothing is lost until then. */
  private void drop(String why) {
    ConnectionFactory<PgConnectOptions> lost = factory;
    PgConnection cut = connection;
    factory = null;
    connection = null;
    connecting = null;
    lastFailure = why;
    retryAtNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(backOffMillis);
    backOffMillis =
        Math.min(LAST_BACK_OFF_MILLIS, Math.max(FIRST_BACK_OFF_MILLIS, 2 * backOffMillis));
    if (cut != null) {
      Sockets.cut(cut);
    }
    if (lost != null) {
      lost.close((result, failure) -> {});
    }
    if (onLoss != null && isWanted()) {
      onLoss.run();
    }
  }

  /** Ends the connection for good; statements under way fail. */
  Future<Void> close() {
    return on(
        () -> {
          closed = true;
          PgConnection last = connection;
          // Told before it is cut, so that the server need not log a lost client.
          Future<Void> goodbye =
              last == null
                  ? Future.succeededFuture()
                  : last.close().timeout(limits.connectLimitMillis(), TimeUnit.MILLISECONDS);
          return goodbye.otherwiseEmpty().onComplete(done -> lose("the store is closed"));
        });
  }

  boolean isClosed() {
    return closed;
  }
}
