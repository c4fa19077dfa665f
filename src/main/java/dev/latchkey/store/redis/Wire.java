package dev.latchkey.store.redis;

import io.vertx.core.Future;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.NetClientOptions;
import io.vertx.redis.client.ProtocolVersion;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection, from the attempt to make it to its end. Has a driver of its own, since that is
 * the only way to drop a connection hard whose peer says nothing any more: a connection that is
 * given back to a pool waits for what is under way.
 *
 * <p>Confined to the event loop of its context, on which its listener is called.
 */
final class Wire {

  /** Who hears what becomes of a connection. */
  interface Listener {

    /**
     * It can be used. What it answers and tells comes in a context of its own, and has to be
     * dispatched to that of the listener.
     */
    void up(RedisConnection connection);

    /** It could not be made, or has ended. Called once at most, and never after {@link #drop}. */
    void down(String reason);
  }

  private final ContextInternal home;
  private final ContextInternal context;
  private final CloseFuture resources = new CloseFuture();
  private final Listener listener;
  private @Nullable Redis driver;
  private boolean ended;
  private long timer = -1;

  private Wire(ContextInternal home, Listener listener) {
    // Whatever a driver opens stays with the Vert.x instance until that ends, also when the driver
    // was closed long before: so each has a context of its own to leave it with.
    // Nobody else may ever be called there, or what others open would end with this connection.
    this.context =
        home.owner()
            .contextBuilder()
            .withEventLoop(home.nettyEventLoop())
            .withCloseFuture(resources)
            .build();
    this.home = home;
    this.listener = listener;
  }

  /**
   * Begins to connect.
   *
   * @param home the event loop to stay on; the listener is called in this context
   * @param settings time-outs, and what else the driver needs
   * @param endpoint whom to connect to
   * @param listener told on the event loop, never before this returns
   * @return the connection to be
   */
  static Wire open(
      ContextInternal home, RedisSettings settings, String endpoint, Listener listener) {
    Wire wire = new Wire(home, listener);
    // A task of its own, so that the driver finds this context current and no request's.
    wire.context.runOnContext(ignored -> wire.connect(settings, endpoint));
    return wire;
  }

  /**
   * Ends it at once, whatever is under way, and says no more; tells when all is gone. Idempotent.
   */
  Future<Void> drop() {
    ended = true;
    context.owner().cancelTimer(timer);
    if (driver != null) {
      driver.close();
      driver = null;
    }
    return resources.close();
  }

  private void connect(RedisSettings settings, String endpoint) {
    if (ended) {
      return;
    }
    long timeoutMillis = settings.connectTimeoutMillis();
    timer =
        context.setTimer(timeoutMillis, id -> end("no connection after " + timeoutMillis + " ms"));
    try {
      Redis made = Redis.createClient(context.owner(), options(settings, endpoint));
      driver = made;
      made.connect().onComplete(this::connected, failure -> end(reason(failure)));
    } catch (RuntimeException unusable) {
      end(reason(unusable));
    }
  }

  private void connected(RedisConnection connection) {
    context.owner().cancelTimer(timer);
    if (ended) {
      return;
    }
    Consumer<String> end = this::end;
    connection.endHandler(ignored -> end.accept("the server closed the connection"));
    connection.exceptionHandler(failure -> end.accept(reason(failure)));
    home.dispatch(() -> listener.up(connection));
  }

  private void end(String reason) {
    if (!ended) {
      drop();
      home.dispatch(() -> listener.down(reason));
    }
  }

  /** What a failure says, in one line and without a class name where it has words of its own. */
  static String reason(Throwable failure) {
    String message = failure.getMessage();
    String text = message == null || message.isBlank() ? failure.toString() : message;
    return text.lines().findFirst().orElse("no reason given");
  }

  private static RedisOptions options(RedisSettings settings, String endpoint) {
    RedisOptions options = new RedisOptions(settings.options());
    options
        .setEndpoints(List.of(endpoint))
        .setType(RedisClientType.STANDALONE)
        .setPreferredProtocolVersion(ProtocolVersion.RESP2)
        .setMaxPoolSize(1)
        .setMaxPoolWaiting(1)
        .setPoolCleanerInterval(-1)
        .setPoolRecycleTimeout(-1)
        .setMaxWaitingHandlers(settings.maxWaitingCalls() + SPARE_HANDLERS);
    // A copy of options shares these with its original.
    NetClientOptions net = new NetClientOptions(options.getNetClientOptions());
    options.setNetClientOptions(net);
    net.setConnectTimeout(Math.toIntExact(settings.connectTimeoutMillis()))
        .setTcpNoDelay(true)
        .setTcpKeepAlive(true);
    return options;
  }

  /** ASKING takes an answer too. */
  private static final int SPARE_HANDLERS = 1_024;
}
