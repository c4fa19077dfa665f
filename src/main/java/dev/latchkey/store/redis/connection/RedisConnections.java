package dev.latchkey.store.redis.connection;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.store.redis.connection.Call.Kind;
import io.netty.channel.EventLoop;
import io.vertx.core.Closeable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.redis.client.RedisOptions;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Long-lived pipelined connections to Redis, shared by the store and the ledger: one for each event
 * loop that calls and each server. They are made on first use and replaced after a loss. Calls from
 * other threads use an event loop of their own.
 *
 * <p>Safe for use by any thread; nothing blocks. Every call ends within {@link
 * RedisConnectionOptions#getCallTimeoutMillis} plus an eighth of it.
 */
public final class RedisConnections {

  private final VertxInternal vertx;
  private final ConnectionSettings settings;
  private final SlotMap slots;
  private final ServerHealth health = new ServerHealth();
  private final LoopConnections shared;
  private final ConcurrentMap<EventLoop, LoopConnections> loops = new ConcurrentHashMap<>();
  private final List<RedisSubscription<?>> subscriptions = new CopyOnWriteArrayList<>();
  private final Closeable closeHook = done -> closeAll().onComplete(done);
  private volatile boolean closed;

  private RedisConnections(VertxInternal vertx, ConnectionSettings settings) {
    this.vertx = vertx;
    this.settings = settings;
    slots = new SlotMap(settings.redis().getEndpoints().stream().map(RedisAddress::of).toList());
    shared = newLoop(vertx.createEventLoopContext());
  }

  /** As {@link #create(Vertx, RedisOptions, RedisConnectionOptions)}, with default options. */
  public static RedisConnections create(Vertx vertx, RedisOptions redis) {
    return create(vertx, redis, new RedisConnectionOptions());
  }

  /**
   * Creates connections; none is made before the first call.
   *
   * @param vertx whose event loops are used; closing it closes the connections
   * @param redis addresses, TLS and credentials: one endpoint is a server, several are nodes of a
   *     cluster. Pool options are ignored
   * @param options timeouts and bounds
   * @throws IllegalArgumentException if an address is invalid
   */
  public static RedisConnections create(
      Vertx vertx, RedisOptions redis, RedisConnectionOptions options) {
    RedisConnections made =
        new RedisConnections((VertxInternal) vertx, new ConnectionSettings(redis, options));
    made.vertx.closeFuture().add(made.closeHook);
    return made;
  }

  /**
   * Runs a script on the server of its keys.
   *
   * @param operation names the call in errors
   * @param script sent whole only to a server that does not know it
   * @param keys all keys that it touches, at least one, all of one tenant
   * @param args texts (sent in UTF-8) or bytes
   * @param reader decodes the result, which is never nil
   * @return fails with {@link StoreException} only; if the reader throws, the outcome is unknown
   */
  public <R> Future<R> run(
      String operation,
      RedisScript script,
      List<String> keys,
      List<?> args,
      Function<Response, R> reader) {
    return run(Call.of(operation, Kind.MAY_WRITE, script, keys, args, deadlineNanos()), reader);
  }

  /** As {@link #run}, for a script that always writes. */
  public <R> Future<R> write(
      String operation,
      RedisScript script,
      List<String> keys,
      List<?> args,
      Function<Response, R> reader) {
    return run(Call.of(operation, Kind.WRITES, script, keys, args, deadlineNanos()), reader);
  }

  private <R> Future<R> run(Call call, Function<Response, R> reader) {
    return submit(call, reader).map(result -> result.orElseThrow(call::nil));
  }

  /**
   * Reads by a command, on the server of its key.
   *
   * @param operation names the call in errors
   * @param reader decodes the result
   * @param words the command in capitals, the key, then further arguments
   * @return the result, empty for nil; fails with {@link StoreException} only
   */
  public <R> Future<Optional<R>> read(
      String operation, Function<Response, R> reader, String... words) {
    int slot = SlotMap.slotOf(words[1]);
    return submit(Call.of(operation, Kind.READS, slot, deadlineNanos(), words), reader);
  }

  private <R> Future<Optional<R>> submit(Call call, Function<Response, R> reader) {
    return loop().submit(call).map(result -> result.map(it -> call.decode(it, reader)));
  }

  /** Asks where the slots of a cluster are. */
  Future<Void> learnSlots() {
    return shared.learnSlots();
  }

  /**
   * Checks that the servers can be used.
   *
   * @return fails with {@link StoreException} if one is unreachable, a replica, or older than 6.2
   */
  public Future<Void> ready() {
    return ServerCheck.version(this).compose(ok -> ServerCheck.reachable(this));
  }

  /**
   * Probes the servers: every server that has slots must respond, accept writes and be no replica.
   *
   * @return fails with {@link StoreException} only
   */
  public Future<Void> probe() {
    return ServerCheck.writable(this);
  }

  /**
   * Subscribes to a channel; the subscription is closed with these connections.
   *
   * @param channel its name
   * @param gap the notification after messages may have been missed
   * @param reader reads a message; throws {@link IllegalArgumentException} for one to ignore
   */
  public <N> RedisSubscription<N> subscribe(String channel, N gap, Function<String, N> reader) {
    RedisSubscription<N> made = new RedisSubscription<>(this, channel, gap, reader);
    subscriptions.add(made);
    made.notifications().open();
    return made;
  }

  /** Returns whether keys of different tenants may be on different servers. */
  public boolean isCluster() {
    return slots.isCluster();
  }

  SlotMap slots() {
    return slots;
  }

  ConnectionSettings settings() {
    return settings;
  }

  ServerHealth health() {
    return health;
  }

  VertxInternal vertx() {
    return vertx;
  }

  long deadlineNanos() {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.callTimeoutMillis());
  }

  /** The connections of the calling thread. */
  LoopConnections loop() {
    ContextInternal current = ContextInternal.current();
    boolean onLoop =
        current != null
            && current.owner() == vertx
            && current.isEventLoopContext()
            && current.inThread();
    return onLoop && !closed ? loop(current.nettyEventLoop()) : shared;
  }

  /** The connections of an event loop; they are closed if these are. */
  LoopConnections loop(EventLoop loop) {
    LoopConnections known = loops.get(loop);
    if (known != null) {
      return known;
    }
    // Not the caller's context: connections outlive the verticle that called first.
    LoopConnections made =
        loops.computeIfAbsent(
            loop, it -> newLoop(vertx.contextBuilder().withEventLoop(it).build()));
    if (closed) {
      made.close();
    }
    return made;
  }

  private LoopConnections newLoop(ContextInternal context) {
    return new LoopConnections(
        context,
        settings,
        slots,
        health,
        new InterestListener() {
          @Override
          public void demoted(RedisAddress server) {
            subscriptions.forEach(it -> it.demoted(server));
          }

          @Override
          public void interestLost(RedisAddress server) {
            subscriptions.forEach(it -> it.interestLost(server));
          }
        });
  }

  /**
   * Closes all connections and subscriptions; outstanding calls fail. Idempotent.
   *
   * @return succeeds when all are gone
   */
  public Future<Void> close() {
    vertx.closeFuture().remove(closeHook);
    return closeAll();
  }

  private Future<Void> closeAll() {
    closed = true;
    List<Future<Void>> gone = new ArrayList<>();
    subscriptions.forEach(it -> gone.add(it.notifications().close()));
    loops.values().forEach(loop -> gone.add(loop.close()));
    gone.add(shared.close());
    return Future.join(gone).mapEmpty();
  }
}
