package dev.latchkey.store.redis;

import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.redis.client.ProtocolVersion;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisClientType;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.RedisOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is said over one connection to hear messages. Has a driver of its own, since that is the
 * only way to drop a connection hard whose peer says nothing any more: a connection that is given
 * back to a pool waits for what is under way.
 *
 * <p>Confined to the event loop of its context, on which its listener is called.
 */
final class PubSubConnection implements ConnectionLife.Speech {

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
  private final RedisSettings settings;
  private final String endpoint;
  private final Listener listener;
  private final ConnectionLife life;
  private @Nullable Redis driver;

  private PubSubConnection(
      ContextInternal home, RedisSettings settings, String endpoint, Listener listener) {
    this.home = home;
    this.settings = settings;
    this.endpoint = endpoint;
    this.listener = listener;
    life = new ConnectionLife(home, settings, this);
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
  static PubSubConnection open(
      ContextInternal home, RedisSettings settings, String endpoint, Listener listener) {
    PubSubConnection made = new PubSubConnection(home, settings, endpoint, listener);
    made.life.begin();
    return made;
  }

  /** Ends it, see {@link ConnectionLife#drop}. */
  Future<Void> drop() {
    return life.drop();
  }

  @Override
  public void connect(ContextInternal context) {
    Redis made = Redis.createClient(context.owner(), options(settings, endpoint));
    driver = made;
    made.connect().onComplete(this::connected, life::end);
  }

  private void connected(RedisConnection connection) {
    life.made();
    if (life.hasEnded()) {
      return;
    }
    connection.endHandler(ignored -> life.end("the server closed the connection"));
    connection.exceptionHandler(life::end);
    home.dispatch(() -> listener.up(connection));
  }

  @Override
  public void close() {
    if (driver != null) {
      driver.close();
      driver = null;
    }
  }

  @Override
  public void down(String reason) {
    listener.down(reason);
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
        .setPoolRecycleTimeout(-1);
    options.setNetClientOptions(ConnectionLife.sockets(settings));
    return options;
  }
}
