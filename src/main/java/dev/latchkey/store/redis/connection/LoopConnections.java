package dev.latchkey.store.redis.connection;

import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.net.Contexts;
import dev.latchkey.store.redis.connection.Call.Kind;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import io.vertx.redis.client.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The connections of one event loop, one to each server. Routes calls to the server of their slot
 * and follows redirections. Bounded: a call beyond the bound fails at once. Confined to its event
 * loop, except the methods that say otherwise.
 */
final class LoopConnections implements ReconnectingConnection.Owner {

  /** How many times within the timeout of a call overdue calls are looked for. */
  static final int TICKS_PER_TIMEOUT = 8;

  private static final long TRY_AGAIN_MILLIS = 50;

  private final ContextInternal context;
  private final ConnectionSettings settings;
  private final SlotMap slots;
  private final ServerHealth health;
  private final Consumer<RedisAddress> onDemotion;
  private final SlotDiscovery discovery;
  private final Map<RedisAddress, ReconnectingConnection> connections = new HashMap<>();
  private final AtomicInteger waitingCalls = new AtomicInteger();
  private final AtomicLong waitingBytes = new AtomicLong();
  private final List<Call> unrouted = new ArrayList<>();
  private boolean ticking;
  private boolean closed;

  LoopConnections(
      ContextInternal context,
      ConnectionSettings settings,
      SlotMap slots,
      ServerHealth health,
      Consumer<RedisAddress> onDemotion) {
    this.context = context;
    this.settings = settings;
    this.slots = slots;
    this.health = health;
    this.onDemotion = onDemotion;
    discovery = new SlotDiscovery(slots, this::askForSlots, this::closeUnused);
  }

  /** Sends a call to the server of its slot. On any thread. */
  Future<Optional<Response>> submit(Call call) {
    return submit(call, () -> route(call));
  }

  /** Sends a call to one server. On any thread. */
  Future<Optional<Response>> submit(Call call, RedisAddress to) {
    return submit(call, () -> send(connection(to), call));
  }

  private Future<Optional<Response>> submit(Call call, Runnable send) {
    int calls = waitingCalls.incrementAndGet();
    long bytes = waitingBytes.addAndGet(call.bytes);
    call.future()
        .onComplete(
            ignored -> {
              waitingCalls.decrementAndGet();
              waitingBytes.addAndGet(-call.bytes);
            });
    RedisConnectionOptions bounds = settings.options();
    if (calls > bounds.getMaxWaitingCalls() || bytes > bounds.getMaxWaitingBytes()) {
      call.fail(Outcome.NOT_DONE, "too many calls are outstanding");
    } else if (context.inThread()) {
      begin(call, send);
    } else {
      context.runOnContext(ignored -> begin(call, send));
    }
    return call.future();
  }

  private void begin(Call call, Runnable send) {
    if (closed) {
      call.fail(Outcome.NOT_DONE, "the store was closed");
      return;
    }
    send.run();
    if (!ticking) {
      tick();
    }
  }

  /** Looks for overdue calls while there are calls. */
  private void tick() {
    ticking = waitingCalls.get() > 0 && !closed;
    if (ticking) {
      long pauseMillis = Math.max(1, settings.callTimeoutMillis() / TICKS_PER_TIMEOUT);
      context.setTimer(pauseMillis, ignored -> failOverdue());
    }
  }

  private void failOverdue() {
    long nowNanos = System.nanoTime();
    for (ReconnectingConnection connection : List.copyOf(connections.values())) {
      connection.failOverdue(nowNanos);
    }
    Call.takeOverdue(unrouted, nowNanos)
        .forEach(it -> it.fail(Outcome.NOT_DONE, "no node of the cluster responded in time"));
    tick();
  }

  private void route(Call call) {
    Optional<RedisAddress> address = slots.addressOf(call.slot);
    if (address.isPresent()) {
      send(connection(address.get()), call);
      return;
    }
    unrouted.add(call);
    discovery
        .run()
        .onComplete(
            ignored -> {
              if (!unrouted.remove(call)) {
                return;
              }
              Optional<RedisAddress> found = slots.addressOf(call.slot);
              if (found.isPresent()) {
                send(connection(found.get()), call);
              } else {
                call.fail(Outcome.NOT_DONE, "no node of the cluster serves its slot");
              }
            });
  }

  private static void send(ReconnectingConnection connection, Call call) {
    connection.sendLate(call, System.nanoTime());
  }

  private ReconnectingConnection connection(RedisAddress address) {
    return connections.computeIfAbsent(
        address, it -> new ReconnectingConnection(it, context, settings, health, this));
  }

  private Future<Optional<Response>> askForSlots(RedisAddress server) {
    long deadlineNanos =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.callTimeoutMillis());
    Object[] arguments = {"SLOTS"};
    return submit(
        Call.of("cluster slots", Kind.READS, "CLUSTER", arguments, SlotMap.ANY, deadlineNanos),
        server);
  }

  /** Asks where the slots are. On any thread. */
  Future<Void> learnSlots() {
    return Contexts.call(context, discovery::run);
  }

  /** Closes connections to servers that have no slots, such as a dead one that was replaced. */
  private void closeUnused() {
    Set<RedisAddress> masters = slots.masters();
    if (masters.isEmpty()) {
      return;
    }
    connections
        .values()
        .removeIf(
            connection -> {
              boolean unused = !masters.contains(connection.address()) && connection.isIdle();
              if (unused) {
                connection.close();
              }
              return unused;
            });
  }

  @Override
  public void failed(ReconnectingConnection connection, Call call, String text) {
    ServerError error = ServerError.of(text);
    boolean again = !(error instanceof ServerError.Refused) && call.mayResend();
    if (error instanceof ServerError.Forbidden && call.isOptional()) {
      call.succeed(Optional.empty());
    } else if (error instanceof ServerError.NoScript && again) {
      call.sendWhole();
      send(connection, call);
    } else if (error instanceof ServerError.Moved moved && again) {
      RedisAddress there = RedisAddress.parse(moved.address(), connection.address());
      slots.moved(moved.slot(), there);
      send(connection(there), call);
      discovery.runSoon();
    } else if (error instanceof ServerError.Ask ask && again) {
      call.sendAsking();
      send(connection(RedisAddress.parse(ask.address(), connection.address())), call);
    } else if (error instanceof ServerError.TryAgain && again) {
      context.setTimer(TRY_AGAIN_MILLIS, ignored -> begin(call, () -> route(call)));
    } else {
      giveUp(connection, call, error, text);
    }
  }

  private void giveUp(
      ReconnectingConnection connection, Call call, ServerError error, String text) {
    Outcome outcome = error instanceof ServerError.Broken ? Outcome.UNKNOWN : Outcome.NOT_DONE;
    String code = ServerError.code(error);
    health.refused(connection.address(), code, text);
    call.fail(outcome, new RefusedCall(code, text));
    if (code.equals("READONLY") && connection.demoted()) {
      onDemotion.accept(connection.address());
    }
    if (code.equals("CROSSSLOT")) {
      // The single address belongs to a cluster: from now on names are reserved one by one.
      slots.becomesCluster();
    }
    if (code.equals("READONLY") || code.equals("CLUSTERDOWN")) {
      discovery.runSoon();
    }
  }

  @Override
  public void down(ReconnectingConnection connection) {
    if (!closed) {
      discovery.runSoon();
    }
  }

  /** Closes all connections. On any thread; idempotent. */
  Future<Void> close() {
    return Contexts.call(context, this::closeNow);
  }

  private Future<Void> closeNow() {
    closed = true;
    List<Future<Void>> gone = new ArrayList<>();
    for (ReconnectingConnection connection : List.copyOf(connections.values())) {
      gone.add(connection.close());
    }
    connections.clear();
    unrouted.forEach(call -> call.fail(Outcome.NOT_DONE, "the store was closed"));
    unrouted.clear();
    return Future.join(gone).mapEmpty();
  }
}
