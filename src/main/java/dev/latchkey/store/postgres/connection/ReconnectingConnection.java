package dev.latchkey.store.postgres.connection;

import dev.latchkey.net.BackOff;
import dev.latchkey.net.Contexts;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is made when it is needed and remade after a loss, with back-off. A {@link
 * Connector} makes it, a {@link Pipeline} sends its statements. Confined to the event loop of its
 * context, except {@link #context}, {@link #limits}, {@link #call} and {@link #whenReady}.
 */
public final class ReconnectingConnection {

  private static final BackOff BACK_OFF = new BackOff(50, 1_000);

  private final ContextInternal context;
  private final PgConnectOptions options;
  private final Limits limits;
  private final ServerOutage outage;
  private final Runnable renewOthers;
  private @Nullable Connector connector;
  private @Nullable Future<PgConnection> connecting;
  private @Nullable Pipeline pipeline;
  private String lastFailure = "";
  private int failures;
  private long mayConnectAtNanos = System.nanoTime();
  private int callsUnderWay;
  private boolean closed;

  /** A write was refused, and no server that accepts writes has been found since. */
  private boolean seeksWritable;

  private Consumer<PgConnection> onConnect = it -> {};
  private @Nullable Runnable onLoss;

  ReconnectingConnection(
      ContextInternal context,
      PgConnectOptions options,
      Limits limits,
      ServerOutage outage,
      Runnable renewOthers) {
    this.context = context;
    this.options = options;
    this.limits = limits;
    this.outage = outage;
    this.renewOthers = renewOthers;
  }

  /** Sets what is called, on the event loop, for every new connection and for every loss of one. */
  public void listen(Consumer<PgConnection> connected, Runnable lost) {
    onConnect = connected;
    onLoss = lost;
  }

  /** The context on whose event loop the connection lives. */
  public ContextInternal context() {
    return context;
  }

  /** The time and queue limits of the connection. */
  public Limits limits() {
    return limits;
  }

  /** Calls on the event loop; an exception fails the future. On any thread. */
  public <T> Future<T> call(Supplier<Future<T>> call) {
    return Contexts.call(context, call);
  }

  /** Connects if necessary; fails at once during the back-off. */
  public Future<PgConnection> ready() {
    if (pipeline != null) {
      return Future.succeededFuture(pipeline.connection());
    }
    if (closed) {
      return Future.failedFuture(Failures.permanent("the store is closed"));
    }
    if (connecting != null) {
      return connecting;
    }
    return System.nanoTime() - mayConnectAtNanos >= 0 ? connect() : unconnected();
  }

  /** Returns the current connection; fails if it was lost, and never makes another. */
  public Future<PgConnection> connected() {
    return pipeline != null
        ? Future.succeededFuture(pipeline.connection())
        : Future.failedFuture(Failures.notDone("the connection was lost: " + lastFailure));
  }

  /** Connects if necessary, then calls on the event loop; fails past the limit. On any thread. */
  public <T> Future<T> whenReady(Supplier<Future<T>> sending) {
    return call(
        () -> {
          if (callsUnderWay >= limits.maxQueue()) {
            return Future.failedFuture(Failures.tooManyWait(callsUnderWay));
          }
          callsUnderWay++;
          return ready().compose(connected -> sending.get()).onComplete(done -> callsUnderWay--);
        });
  }

  /**
   * Sends a prepared statement; the connection must be {@link #ready}.
   *
   * @return the rows; fails with {@link PgException} if the server refused the statement, else with
   *     {@link dev.latchkey.core.spi.StoreException}
   */
  public Future<RowSet<Row>> send(String sql, Tuple values) {
    return pipeline == null ? unconnected() : pipeline.send(sql, values);
  }

  /** As {@link #send}, for a command without values, such as {@code BEGIN}. */
  public Future<RowSet<Row>> sendCommand(String sql) {
    return pipeline == null ? unconnected() : pipeline.sendCommand(sql);
  }

  private <T> Future<T> unconnected() {
    return Future.failedFuture(Failures.notDone("no connection to Postgres: " + lastFailure));
  }

  private Future<PgConnection> connect() {
    Connector fresh = new Connector(context, limits);
    Promise<PgConnection> promise = Promise.promise();
    connector = fresh;
    connecting = promise.future();
    fresh
        .connect(options, seeksWritable)
        .onComplete(
            done -> {
              if (connector == fresh) {
                connected(done);
              }
            })
        .recover(
            cause ->
                Future.failedFuture(
                    Failures.notDone("cannot connect to Postgres: " + Failures.reason(cause))))
        .onComplete(promise);
    return promise.future();
  }

  private void connected(AsyncResult<PgConnection> done) {
    connecting = null;
    if (done.failed()) {
      lose(Failures.reason(done.cause()));
      return;
    }
    pipeline = new Pipeline(done.result(), context, limits, this::ended);
    failures = 0;
    boolean acceptsWrites = seeksWritable;
    seeksWritable = false;
    outage.recovered(acceptsWrites);
    onConnect.accept(done.result());
  }

  private void ended(Pipeline which, Pipeline.End end, String reason) {
    if (pipeline != which) {
      return;
    }
    switch (end) {
      case BROKEN -> lose(reason);
      case READ_ONLY -> {
        seeksWritable = true;
        outage.refusedWrites(reason);
        lose(reason);
      }
      case SILENT -> {
        lose(reason);
        // The other connections may be dead too.
        renewOthers.run();
      }
      case CLOSED -> {
        boolean isMissed = onLoss != null || !which.isIdle();
        end(reason, isMissed);
      }
    }
  }

  /** Cuts the connection if it is idle; the next one may lead to another server. */
  void dropIfIdle(String reason) {
    if (pipeline != null && pipeline.isIdle()) {
      end(reason, false);
    }
  }

  /** Cuts the connection, whatever is under way on it, and logs the loss. */
  public void lose(String reason) {
    end(reason, true);
  }

  private void end(String reason, boolean isOutage) {
    boolean isWanted = !closed && !context.owner().closeFuture().isClosed();
    if (isOutage && isWanted) {
      outage.lost(reason);
    }
    Connector lostConnector = connector;
    Pipeline lost = pipeline;
    connector = null;
    connecting = null;
    pipeline = null;
    lastFailure = reason;
    long pauseMillis =
        failures == 0 ? 0 : BACK_OFF.delayMillis(failures, ThreadLocalRandom.current());
    failures++;
    mayConnectAtNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
    if (lost != null) {
      Sockets.cut(lost.connection());
    }
    if (lostConnector != null) {
      lostConnector.close();
    }
    if (onLoss != null && isWanted) {
      onLoss.run();
    }
  }

  /** Closes the connection for good; statements under way fail. */
  public Future<Void> close() {
    return call(
        () -> {
          closed = true;
          // A goodbye first, so that the server does not log a lost client.
          Future<Void> goodbye =
              pipeline == null
                  ? Future.succeededFuture()
                  : pipeline
                      .connection()
                      .close()
                      .timeout(limits.connectLimitMillis(), TimeUnit.MILLISECONDS);
          return goodbye.otherwiseEmpty().onComplete(done -> lose("the store is closed"));
        });
  }
}
