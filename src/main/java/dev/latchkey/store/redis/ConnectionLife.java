package dev.latchkey.store.redis;

import dev.latchkey.net.ConnectionFailure;
import io.vertx.core.Future;
import io.vertx.core.internal.CloseFuture;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.net.NetClientOptions;

/**
 * The life of one connection, from the attempt to make it to its end, whatever is spoken over it.
 * It is up within its time or ends; it ends once, at its own or at its owner's wish, and takes with
 * it whatever was opened for it.
 *
 * <p>Confined to the event loop of its context, on which its speech is called.
 */
final class ConnectionLife {

  /** What is opened for a connection, and who hears of its end. */
  interface Speech {

    /**
     * Begins to connect; {@link ConnectionLife#made} or {@link ConnectionLife#end} tells what came
     * of it.
     *
     * @param context leaves with the connection; nobody else may be called there
     * @throws RuntimeException when the settings or the address are of no use
     */
    void connect(ContextInternal context);

    /** Closes what was opened, at once; called before anything was opened, too. */
    void close();

    /** It could not be made, or has ended. Called once at most, never after {@link #drop}. */
    void down(String reason);
  }

  private final ContextInternal home;
  private final ContextInternal context;
  private final CloseFuture resources = new CloseFuture();
  private final Speech speech;
  private final long timeoutMillis;
  private boolean ended;
  private long timer = -1;

  /**
   * Prepares a connection.
   *
   * @param home the event loop to stay on; the end is told in this context
   * @param settings how long it may take
   * @param speech what it is for
   */
  ConnectionLife(ContextInternal home, RedisSettings settings, Speech speech) {
    // Whatever a client opens stays with the Vert.x instance until that ends, also when the client
    // was closed long before: so each has a context of its own to leave it with. Nobody else may
    // ever be called there, or what others open would end with this connection.
    this.context =
        home.owner()
            .contextBuilder()
            .withEventLoop(home.nettyEventLoop())
            .withCloseFuture(resources)
            .build();
    this.home = home;
    this.speech = speech;
    timeoutMillis = settings.connectTimeoutMillis();
  }

  /** Begins to connect, never before this returns. */
  void begin() {
    // A task of its own, so that the client finds this context current and no request's.
    context.runOnContext(ignored -> connect());
  }

  private void connect() {
    if (ended) {
      return;
    }
    timer =
        context.setTimer(timeoutMillis, id -> end("no connection after " + timeoutMillis + " ms"));
    try {
      speech.connect(context);
    } catch (RuntimeException unusable) {
      end(unusable);
    }
  }

  /** It can be used: its time no longer runs. */
  void made() {
    context.owner().cancelTimer(timer);
  }

  /** Whether it is over. */
  boolean hasEnded() {
    return ended;
  }

  /**
   * Ends it at once, whatever is under way, and says no more; tells when all is gone. Idempotent.
   */
  Future<Void> drop() {
    ended = true;
    context.owner().cancelTimer(timer);
    speech.close();
    return resources.close();
  }

  /** Ends it and tells why, unless it has ended. */
  void end(String reason) {
    if (!ended) {
      drop();
      home.dispatch(() -> speech.down(reason));
    }
  }

  /** Ends it for a failure, unless it has ended. */
  void end(Throwable failure) {
    end(ConnectionFailure.reason(failure));
  }

  /** How the sockets of all connections are made: a copy, since copies of the driver's share it. */
  static NetClientOptions sockets(RedisSettings settings) {
    return new NetClientOptions(settings.options().getNetClientOptions())
        .setConnectTimeout(Math.toIntExact(settings.connectTimeoutMillis()))
        .setTcpNoDelay(true)
        .setTcpKeepAlive(true);
  }
}
