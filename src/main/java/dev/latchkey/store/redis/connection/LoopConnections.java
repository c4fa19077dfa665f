package dev.latchkey.store.redis.connection;

import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.net.Contexts;
import dev.latchkey.store.redis.connection.Call.Kind;
import dev.latchkey.store.redis.connection.ServerError.Meaning;
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
  private final InterestListener listener;
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
      InterestListener listener) {
    this.context = context;
    this.settings = settings;
    this.slots = slots;
    this.health = health;
    this.listener = listener;
    discovery = new SlotDiscovery(slots, this::askForSlots, this::learned);
  }

  /** Sends a call to the server of its slot. On any thread. */
  Future<Optional<Response>> submit(Call call) {
    return submit(call, () -> route(call));
  }

  /** Sends a call to one server. On any thread. */
  Future<Optional<Response>> submit(Call call, RedisAddress to) {
    return submit(call, () -> connection(to).send(call));
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
      connection(address.get()).send(call);
      return;
    }
    unrouted.add(call);
    discovery
        .run()
        .onComplete(
            ignored -> {
              if (unrouted.remove(call)) {
                slots
                    .addressOf(call.slot)
                    .ifPresentOrElse(
                        found -> connection(found).send(call),
                        () ->
                            call.fail(Outcome.NOT_DONE, "no node of the cluster serves its slot"));
              }
            });
  }

  private ReconnectingConnection connection(RedisAddress address) {
    return connections.computeIfAbsent(
        address, it -> new ReconnectingConnection(it, context, settings, health, this));
  }

  private Future<Optional<Response>> askForSlots(RedisAddress server) {
    long deadlineNanos =
        System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.callTimeoutMillis());
    String operation = "cluster slots";
    return submit(
        Call.of(operation, Kind.READS, SlotMap.ANY, deadlineNanos, "CLUSTER", "SLOTS"), server);
  }

  /** Asks where the slots are. On any thread. */
  Future<Void> learnSlots() {
    return Contexts.call(context, discovery::run);
  }

  /** Closes connections to servers that have no slots, such as a dead one that was replaced. */
  private void learned(Set<RedisAddress> gone) {
    gone.forEach(listener::interestLost);
    Set<RedisAddress> masters = slots.masters();
    for (ReconnectingConnection it : List.copyOf(connections.values())) {
      if (!masters.isEmpty() && !masters.contains(it.address()) && it.isIdle()) {
        connections.remove(it.address());
        it.close();
      }
    }
  }

  @Override
  public void failed(ReconnectingConnection connection, Call call, String text) {
    ServerError error = ServerError.of(text);
    Meaning meaning = error.meaning();
    if (meaning == Meaning.FORBIDDEN && call.isOptional()) {
      call.succeed(Optional.empty());
    } else if (meaning == Meaning.REFUSED || !call.mayResend()) {
      giveUp(connection, call, error);
    } else {
      switch (meaning) {
        case NO_SCRIPT -> {
          call.sendWhole();
          connection.send(call);
        }
        case MOVED -> {
          RedisAddress there = error.address(connection.address());
          slots.moved(error.slot(), there);
          connection(there).send(call);
          discovery.runSoon();
        }
        case ASK -> {
          call.sendAsking();
          connection(error.address(connection.address())).send(call);
        }
        case TRY_AGAIN ->
            context.setTimer(TRY_AGAIN_MILLIS, ignored -> begin(call, () -> route(call)));
        default -> giveUp(connection, call, error);
      }
    }
  }

  private void giveUp(ReconnectingConnection connection, Call call, ServerError error) {
    health.refused(connection.address(), error);
    call.fail(error);
    switch (error.code()) {
      case "READONLY" -> {
        if (connection.demoted()) {
          listener.demoted(connection.address());
        }
        discovery.runSoon();
      }
      case "CLUSTERDOWN" -> {
        slots.isDown(connection.address(), System.nanoTime());
        discovery.runSoon();
      }
      // The single address belongs to a cluster: from now on names are reserved one by one.
      case "CROSSSLOT" -> slots.becomesCluster();
      default -> {}
    }
  }

  @Override
  public void recovered(ReconnectingConnection connection) {
    // It may have restarted without its records.
    if (slots.isCluster()) {
      listener.interestLost(connection.address());
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
    List.copyOf(connections.values()).forEach(it -> gone.add(it.close()));
    connections.clear();
    unrouted.forEach(call -> call.fail(Outcome.NOT_DONE, "the store was closed"));
    unrouted.clear();
    return Future.join(gone).mapEmpty();
  }
}
