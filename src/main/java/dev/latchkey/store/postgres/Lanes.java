package dev.latchkey.store.postgres;

import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One lane on an event loop of its own, for everybody, and lanes of their own for the first event
 * loops that call, up to {@link PostgresStoreOptions#maxLanes()} in all. Besides, an event loop
 * without a lane has a shortcut: a connection of its own for a call that finds no other under way,
 * which has nobody to travel with and needs no hop to another loop and back. Safe for any thread.
 *
 * @param <L> the calls of one event loop
 */
final class Lanes<L extends Lanes.OfLoop> {

  /** The calls of one event loop, with connections of its own. */
  interface OfLoop {
    /** Ends its connections. */
    Future<Void> close();
  }

  /**
   * How lanes are made.
   *
   * @param wide of connections that it asks for, all on one event loop
   * @param narrow of one connection, for one call at a time
   */
  record Making<L>(
      BiFunction<Supplier<Link>, PostgresStoreOptions, L> wide,
      BiFunction<Link, PostgresStoreOptions, L> narrow) {}

  private record Shortcut<L>(Link link, L lane) {}

  private final ConcurrentMap<EventLoop, L> lanes = new ConcurrentHashMap<>();
  private final ConcurrentMap<EventLoop, Shortcut<L>> shortcuts = new ConcurrentHashMap<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private final Links links;
  private final PostgresStoreOptions limits;
  private final Making<L> making;
  private final Function<ContextInternal, Link> connecting;
  private final L shared;

  /** Opens the shared lane. */
  Lanes(Links links, PostgresStoreOptions limits, Making<L> making) {
    this(links, limits, making, context -> links.on(context, Session.STATEMENTS));
  }

  /**
   * Opens the shared lane.
   *
   * @param connecting makes the connections of lanes
   */
  Lanes(
      Links links,
      PostgresStoreOptions limits,
      Making<L> making,
      Function<ContextInternal, Link> connecting) {
    this.links = links;
    this.limits = limits;
    this.making = making;
    this.connecting = connecting;
    shared = open(links.ownLoop());
    lanes.put(links.ownLoop().nettyEventLoop(), shared);
  }

  /** Calls on a lane that suits the caller; the call ends in its future alone. */
  <R> Future<R> call(Function<L, Future<R>> call) {
    boolean alone = underWay.getAndIncrement() == 0;
    return Future.<Void>succeededFuture()
        .compose(begun -> call.apply(lane(alone)))
        .onComplete(done -> underWay.decrementAndGet());
  }

  private L lane(boolean alone) {
    EventLoop loop = loopOfCaller().orElse(null);
    if (loop == null) {
      return shared;
    }
    L known = lanes.get(loop);
    if (known != null) {
      return known;
    }
    if (lanes.size() < limits.maxLanes()) {
      return lanes.computeIfAbsent(loop, this::openOn);
    }
    if (alone) {
      Shortcut<L> shortcut = shortcutOf(loop);
      if (shortcut != null) {
        if (shortcut.link().isReady()) {
          return shortcut.lane();
        }
        // For a later call; this one need not wait for it.
        shortcut.link().ready();
      }
    }
    return shared;
  }

  private Optional<EventLoop> loopOfCaller() {
    ContextInternal context = ContextInternal.current();
    if (context == null || context.owner() != links.vertx() || !context.inThread()) {
      return Optional.empty();
    }
    return Optional.of(context.nettyEventLoop()).filter(EventLoop::inEventLoop);
  }

  private L openOn(EventLoop loop) {
    return open(links.contextOf(loop));
  }

  private L open(ContextInternal context) {
    return making.wide().apply(() -> connecting.apply(context), limits);
  }

  private @Nullable Shortcut<L> shortcutOf(EventLoop loop) {
    Shortcut<L> known = shortcuts.get(loop);
    if (known != null || shortcuts.size() >= limits.maxShortcuts()) {
      return known;
    }
    return shortcuts.computeIfAbsent(
        loop,
        it -> {
          Link link = links.optional(links.contextOf(it));
          return new Shortcut<>(link, making.narrow().apply(link, limits));
        });
  }

  Future<Void> close() {
    return Future.join(all().map(OfLoop::close).toList()).mapEmpty();
  }

  private Stream<L> all() {
    return Stream.concat(lanes.values().stream(), shortcuts.values().stream().map(Shortcut::lane));
  }
}
