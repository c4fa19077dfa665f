package dev.latchkey.store.postgres;

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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection for as long as it is wanted: made when it is needed and made anew when it broke. One
 * {@link Connector} makes it, one {@link Pipe} carries its statements. Confined to the event loop
 * of its context, but for {@link #context}.
 */
final class Link implements Pipe.Listener {

  private final ContextInternal context;
  private final PgConnectOptions options;
  private final Limits limits;

  private final Outage outage;
  private final Runnable renewOthers;
  private final ConnectBackOff backOff = new ConnectBackOff();
  private @Nullable Connector connector;
  private @Nullable Future<PgConnection> connecting;
  private @Nullable Pipe pipe;
  private String lastFailure = "";
  private int callsUnderWay;
  private boolean closed;

  /** A write was refused, and no server that takes any was found since. */
  private boolean seeksWritable;

  private Consumer<PgConnection> onConnect = it -> {};
  private @Nullable Runnable onLoss;

  Link(
      ContextInternal context,
      PgConnectOptions options,
      Limits limits,
      Outage outage,
      Runnable renewOthers) {
    this.context = context;
    this.options = options;
    this.limits = limits;
    this.outage = outage;
    this.renewOthers = renewOthers;
  }

  /** Sets what is told of every new connection and of every loss of one, on the event loop. */
  void listen(Consumer<PgConnection> connected, Runnable lost) {
    onConnect = connected;
    onLoss = lost;
  }

  ContextInternal context() {
    return context;
  }

  Limits limits() {
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
    if (pipe != null) {
      return Future.succeededFuture(pipe.connection());
    }
    if (closed) {
      return Future.failedFuture(Failures.hopeless("the store is closed"));
    }
    if (connecting != null) {
      return connecting;
    }
    return backOff.isOver() ? connect() : unconnected();
  }

  /** The connection as it is; fails when it was lost, and never makes another. */
  Future<PgConnection> connected() {
    return pipe != null
        ? Future.succeededFuture(pipe.connection())
        : Future.failedFuture(Failures.notDone("the connection was lost: " + lastFailure));
  }

  /**
   * Connects if need be, and does something on this link's event loop. Bounded: a call too many
   * fails at once, and none in the middle of its statements.
   */
  <T> Future<T> whenReady(Supplier<Future<T>> sending) {
    return on(
        () -> {
          if (callsUnderWay >= limits.maxQueue()) {
            return Future.failedFuture(
                Failures.notDone(callsUnderWay + " calls wait for Postgres already"));
          }
          callsUnderWay++;
          return ready().compose(connected -> sending.get()).onComplete(done -> callsUnderWay--);
        });
  }

  /**
   * Sends a prepared statement. The link must be {@link #ready}.
   *
   * @return the rows; fails with {@link PgException} when the server refused the statement, else
   *     with {@link dev.latchkey.core.spi.StoreException}
   */
  Future<RowSet<Row>> send(String sql, Tuple values) {
    return pipe == null ? unconnected() : pipe.send(sql, values);
  }

  /** As {@link #send(String, Tuple)}, for a command without values, such as {@code BEGIN}. */
  Future<RowSet<Row>> sendCommand(String sql, long limitMillis) {
    return pipe == null ? unconnected() : pipe.sendCommand(sql, limitMillis);
  }

  Future<RowSet<Row>> sendCommand(String sql) {
    return sendCommand(sql, limits.statementLimitMillis());
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
                made(done);
              }
            })
        .recover(
            cause ->
                Future.failedFuture(
                    Failures.notDone("cannot connect to Postgres: " + Failures.reason(cause))))
        .onComplete(promise);
    return promise.future();
  }

  private void made(AsyncResult<PgConnection> done) {
    connecting = null;
    if (done.failed()) {
      lose(Failures.reason(done.cause()));
      return;
    }
    pipe = new Pipe(done.result(), context, limits, this);
    backOff.reset();
    boolean takesWrites = seeksWritable;
    seeksWritable = false;
    outage.recovered(takesWrites);
    onConnect.accept(done.result());
  }

  @Override
  public void broken(Pipe which, String why) {
    if (pipe == which) {
      lose(why);
    }
  }

  @Override
  public void readOnly(Pipe which, String why) {
    if (pipe == which) {
      seeksWritable = true;
      outage.refusedWrites(why);
      lose(why);
    }
  }

  @Override
  public void silent(Pipe which, String why) {
    if (pipe == which) {
      lose(why);
      // Those beside it may be as dead.
      renewOthers.run();
    }
  }

  @Override
  public void ended(Pipe which) {
    if (pipe == which) {
      String why = "the server closed the connection";
      boolean isMissed = onLoss != null || !which.isIdle();
      if (isMissed) {
        lose(why);
      } else {
        drop(why);
      }
    }
  }

  /** Cuts the connection if nothing is under way on it: it is made anew sooner than found dead. */
  void renewIfIdle() {
    if (giveUpIfIdle("another connection was given up")) {
      backOff.reset();
    }
  }

  /** Cuts the connection if nothing is under way on it; the next may lead to another server. */
  boolean giveUpIfIdle(String why) {
    boolean isIdle = pipe != null && pipe.isIdle();
    if (isIdle) {
      drop(why);
    }
    return isIdle;
  }

  /** Cuts the connection, whatever is under way on it, and says so. */
  void lose(String why) {
    if (isWanted()) {
      outage.lost(why);
    }
    drop(why);
  }

  private boolean isWanted() {
    return !closed && !context.owner().closeFuture().isClosed();
  }

  /** Cuts the connection. It is made anew when it is needed, and nothing is lost until then. */
  private void drop(String why) {
    Connector lost = connector;
    Pipe cut = pipe;
    connector = null;
    connecting = null;
    pipe = null;
    lastFailure = why;
    backOff.begin();
    if (cut != null) {
      Sockets.cut(cut.connection());
    }
    if (lost != null) {
      lost.close();
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
          // Told before it is cut, so that the server need not log a lost client.
          Future<Void> goodbye =
              pipe == null
                  ? Future.succeededFuture()
                  : pipe.connection()
                      .close()
                      .timeout(limits.connectLimitMillis(), TimeUnit.MILLISECONDS);
          return goodbye.otherwiseEmpty().onComplete(done -> lose("the store is closed"));
        });
  }

  boolean isClosed() {
    return closed;
  }
}
