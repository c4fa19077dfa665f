package dev.latchkey.store.redis;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.store.redis.Call.Kind;
import io.netty.channel.EventLoop;
import io.vertx.core.Closeable;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Long-lived pipelined connections to Redis, shared by the store and the ledger: one for each event
 * loop that calls and each server, made when they are first needed and again after a loss. Calls
 * from any other thread go over a loop of their own.
 *
 * <p>Safe for use by any thread; nothing blocks. Every call ends within {@link
 * RedisSettings#callTimeoutMillis} and an eighth of it.
 */
public final class RedisConnections {

  private final VertxInternal vertx;
  private final RedisSettings settings;
  private final SlotMap slots;
  private final Outage outage = new Outage();
  private final Lane foreign;
  private final ConcurrentMap<EventLoop, Lane> lanes = new ConcurrentHashMap<>();
  private final List<Supplier<Future<Void>>> alongside = new CopyOnWriteArrayList<>();
  private final Closeable closeHook = this::closeWithVertx;
  private volatile boolean closed;

  private RedisConnections(VertxInternal vertx, RedisSettings settings) {
    this.vertx = vertx;
    this.settings = settings;
    slots = new SlotMap(settings.options().getEndpoints().stream().map(RedisAddress::of).toList());
    foreign = new Lane(vertx.createEventLoopContext(), settings, slots, outage);
  }

  /**
   * Makes connections on demand; none is made yet.
   *
   * @param vertx whose event loops are used; stays the caller's
   * @param settings where Redis is
   * @return the connections; closed with the Vert.x instance if nobody closes them before
   * @throws IllegalArgumentException when an address cannot be read
   */
  public static RedisConnections create(Vertx vertx, RedisSettings settings) {
    RedisConnections made = new RedisConnections((VertxInternal) vertx, settings);
    made.vertx.closeFuture().add(made.closeHook);
    return made;
  }

  /**
   * Runs a script where its keys live.
   *
   * @param operation names the call in errors
   * @param script the script; sent whole only to a server that does not know it
   * @param keys all keys that it touches, at least one, all of one tenant
   * @param args texts (sent in UTF-8) or bytes
   * @return its answer, never nil; fails with {@link StoreException} alone
   */
  public Future<Response> run(
      String operation, RedisScript script, List<String> keys, List<?> args) {
    return run(operation, script, keys, args, Kind.MAY_WRITE);
  }

  /** As {@link #run}, for a script that writes whatever it finds. */
  Future<Response> write(String operation, RedisScript script, List<String> keys, List<?> args) {
    return run(operation, script, keys, args, Kind.WRITES);
  }

  private Future<Response> run(
      String operation, RedisScript script, List<String> keys, List<?> args, Kind kind) {
    Object[] words = new Object[1 + keys.size() + args.size()];
    words[0] = Integer.toString(keys.size());
    int at = 1;
    for (String key : keys) {
      words[at++] = key;
    }
    for (Object arg : args) {
      words[at++] = arg;
    }
    int slot = SlotMap.slotOf(keys.get(0));
    Call call = Call.of(operation, kind, script, words, slot, deadlineNanos());
    return lane().submit(call).map(answer -> answer.orElseThrow(() -> mute(operation)));
  }

  /**
   * Runs a command where its key lives.
   *
   * @param operation names the call in errors
   * @param command its name in capitals; one that names one key, first
   * @param words the key, then its arguments
   * @return its answer, empty for nil; fails with {@link StoreException} alone
   */
  public Future<Optional<Response>> command(String operation, String command, Object... words) {
    return lane().submit(call(operation, Kind.MAY_WRITE, command, words));
  }

  private Call call(String operation, Kind kind, String command, Object... words) {
    int slot = SlotMap.slotOf(words[0].toString());
    return Call.of(operation, kind, command, words, slot, deadlineNanos());
  }

  private static StoreException mute(String operation) {
    return new StoreException(Outcome.UNKNOWN, operation + ": the script answered nothing");
  }

  /** Sends a command that names no key, and only reads, to every server that has slots. */
  Future<List<Response>> ask(String operation, String command, String... words) {
    return askEach(operation, false, command, words)
        .map(
            answers -> {
              List<Response> told = new ArrayList<>();
              for (Optional<Response> answer : answers) {
                told.add(answer.orElseThrow(() -> mute(operation)));
              }
              return told;
            });
  }

  /** As {@link #ask}, to be sure alone; none where a server forbids it or has no such command. */
  Future<List<Response>> askIfAllowed(String operation, String command, String... words) {
    return askEach(operation, true, command, words)
        .map(
            answers ->
                answers.stream().allMatch(Optional::isPresent)
                    ? answers.stream().flatMap(Optional::stream).toList()
                    : List.of());
  }

  /** As {@link #command}, for one that writes whatever it finds; empty where it is forbidden. */
  Future<Optional<Response>> writeIfAllowed(String operation, String command, Object... words) {
    return lane().submit(call(operation, Kind.WRITES, command, words).optional());
  }

  private Future<List<Optional<Response>>> askEach(
      String operation, boolean optional, String command, String... words) {
    return servers()
        .compose(
            servers -> {
              List<Future<Optional<Response>>> answers = new ArrayList<>();
              for (RedisAddress server : servers) {
                Object[] copy = new Object[words.length];
                System.arraycopy(words, 0, copy, 0, words.length);
                Call call =
                    Call.of(operation, Kind.READS, command, copy, SlotMap.ANY, deadlineNanos());
                answers.add(lane().submit(optional ? call.optional() : call, server));
              }
              return Future.join(answers).map(joined -> joined.<Optional<Response>>list());
            });
  }

  /** Every server that has slots; fails where none has any, since then there is nobody to ask. */
  private Future<Set<RedisAddress>> servers() {
    if (slots.isComplete()) {
      return Future.succeededFuture(slots.masters());
    }
    return lane()
        .learnSlots()
        .map(
            ignored -> {
              Set<RedisAddress> masters = slots.masters();
              if (masters.isEmpty()) {
                throw new StoreException(
                    Outcome.NOT_DONE, "no node of this Redis cluster serves any slot");
              }
              return masters;
            });
  }

  /** Finds out where the slots of a cluster are by now. On any thread. */
  Future<Void> learnSlots() {
    return foreign.learnSlots();
  }

  /**
   * Asks for a sign of life: every server that has slots must answer, and none be a replica or
   * refuse writes.
   *
   * @return succeeds when all can be used; fails with {@link StoreException} alone
   */
  public Future<Void> probe() {
    return ServerCheck.writable(this);
  }

  /** Whether keys of several tenants may live on several servers. */
  boolean isCluster() {
    return slots.isCluster();
  }

  SlotMap slots() {
    return slots;
  }

  RedisSettings settings() {
    return settings;
  }

  Outage outage() {
    return outage;
  }

  VertxInternal vertx() {
    return vertx;
  }

  private long deadlineNanos() {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.callTimeoutMillis());
  }

  /** The lane of the calling thread. */
  private Lane lane() {
    ContextInternal current = ContextInternal.current();
    boolean onLoop =
        current != null
            && current.owner() == vertx
            && current.isEventLoopContext()
            && current.inThread();
    if (!onLoop || closed) {
      return foreign;
    }
    EventLoop loop = current.nettyEventLoop();
    Lane known = lanes.get(loop);
    return known != null ? known : laneOn(loop);
  }

  /** The lane of an event loop; one that is made while these are closed ends at once. */
  Lane laneOn(EventLoop loop) {
    Lane made = lanes.computeIfAbsent(loop, this::newLane);
    if (closed) {
      made.close();
    }
    return made;
  }

  private Lane newLane(EventLoop loop) {
    // Not the caller's context: a connection outlives the verticle that called first.
    ContextInternal context = vertx.contextBuilder().withEventLoop(loop).build();
    return new Lane(context, settings, slots, outage);
  }

  /** Has something end together with these connections. */
  void closeWith(Supplier<Future<Void>> close) {
    alongside.add(close);
  }

  /**
   * Ends all connections, the store's subscription included; calls that are under way fail.
   * Idempotent.
   *
   * @return succeeds when all are gone
   */
  public Future<Void> close() {
    vertx.closeFuture().remove(closeHook);
    return closeAll();
  }

  private void closeWithVertx(Completable<Void> done) {
    closeAll().onComplete(done);
  }

  private Future<Void> closeAll() {
    closed = true;
    List<Future<Void>> gone = new ArrayList<>();
    alongside.forEach(close -> gone.add(close.get()));
    lanes.values().forEach(lane -> gone.add(lane.close()));
    gone.add(foreign.close());
    return Future.join(gone).mapEmpty();
  }
}
