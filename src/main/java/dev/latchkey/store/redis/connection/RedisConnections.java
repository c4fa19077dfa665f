package dev.latchkey.store.redis.connection;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
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

  /**
   * Creates connections with default options.
   *
   * @see #create(Vertx, RedisOptions, RedisConnectionOptions)
   */
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
   * @return the result, never nil; fails with {@link StoreException} only
   */
  public Future<Response> run(
      String operation, RedisScript script, List<String> keys, List<?> args) {
    return run(operation, script, keys, args, Kind.MAY_WRITE);
  }

  /** As {@link #run}, for a script that always writes. */
  public Future<Response> write(
      String operation, RedisScript script, List<String> keys, List<?> args) {
    return run(operation, script, keys, args, Kind.WRITES);
  }

  private Future<Response> run(
      String operation, RedisScript script, List<String> keys, List<?> args, Kind kind) {
    List<Object> arguments = new ArrayList<>(1 + keys.size() + args.size());
    arguments.add(Integer.toString(keys.size()));
    arguments.addAll(keys);
    arguments.addAll(args);
    int slot = SlotMap.slotOf(keys.get(0));
    Call call = Call.of(operation, kind, script, arguments.toArray(), slot, deadlineNanos());
    return loop().submit(call).map(result -> result.orElseThrow(() -> nil(operation)));
  }

  /**
   * Runs a command on the server of its key.
   *
   * @param operation names the call in errors
   * @param command its name in capitals
   * @param arguments the key, then further arguments
   * @return the result, empty for nil; fails with {@link StoreException} only
   */
  public Future<Optional<Response>> command(String operation, String command, Object... arguments) {
    return loop().submit(call(operation, Kind.MAY_WRITE, command, arguments));
  }

  /** As {@link #command}, for one that always writes; empty if the server forbids it. */
  Future<Optional<Response>> writeIfAllowed(String operation, String command, Object... arguments) {
    return loop().submit(call(operation, Kind.WRITES, command, arguments).optional());
  }

  private Call call(String operation, Kind kind, String command, Object... arguments) {
    int slot = SlotMap.slotOf(arguments[0].toString());
    return Call.of(operation, kind, command, arguments, slot, deadlineNanos());
  }

  static StoreException nil(String operation) {
    return new StoreException(Outcome.UNKNOWN, operation + ": the result is nil");
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
        address -> subscriptions.forEach(subscription -> subscription.demoted(address)));
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
