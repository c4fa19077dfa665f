package dev.latchkey.store.postgres;

import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One lane on an event loop of its own, for everybody, and lanes of their own for the first event
 * loops that call. Besides, an event loop without a lane may have a shortcut: a connection of its
 * own for a call that finds no other under way, which has nobody to travel with and needs no hop to
 * another loop and back. Safe for any thread.
 *
 * @param <L> the calls of one event loop
 */
final class Lanes<L extends Lanes.OfLoop> {

  /** The calls of one event loop, with connections of its own. */
  interface OfLoop {
    /** Ends its connections. */
    Future<Void> close();
  }

  private record Shortcut<L>(Link link, L lane) {}

  private final ConcurrentMap<EventLoop, L> lanes = new ConcurrentHashMap<>();
  private final ConcurrentMap<EventLoop, Shortcut<L>> shortcuts = new ConcurrentHashMap<>();
  private final AtomicInteger underWay = new AtomicInteger();
  private final Links links;

  /** One for each event loop that may still have a lane of its own. */
  private final Semaphore room;

  private final Function<ContextInternal, L> newLane;
  private final int maxShortcuts;
  private final Function<Link, L> newShortcut;
  private final L shared;

  /**
   * Opens the shared lane.
   *
   * @param maxOwn most lanes besides the shared one
   * @param newLane makes a lane whose connections are all on one event loop
   * @param maxShortcuts most event loops with a shortcut
   * @param newShortcut makes the lane of a shortcut, for one call at a time
   */
  Lanes(
      Links links,
      int maxOwn,
      Function<ContextInternal, L> newLane,
      int maxShortcuts,
      Function<Link, L> newShortcut) {
    this.links = links;
    room = new Semaphore(maxOwn);
    this.newLane = newLane;
    this.maxShortcuts = maxShortcuts;
    this.newShortcut = newShortcut;
    shared = newLane.apply(links.ownLoop());
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
    if (room.tryAcquire()) {
      return lanes.computeIfAbsent(loop, it -> newLane.apply(links.contextOf(it)));
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

  private @Nullable Shortcut<L> shortcutOf(EventLoop loop) {
    Shortcut<L> known = shortcuts.get(loop);
    if (known != null || shortcuts.size() >= maxShortcuts) {
      return known;
    }
    return shortcuts.computeIfAbsent(
        loop,
        it -> {
          Link link = links.optional(links.contextOf(it));
          return new Shortcut<>(link, newShortcut.apply(link));
        });
  }

  Future<Void> close() {
    return Future.join(all().map(OfLoop::close).toList()).mapEmpty();
  }

  private Stream<L> all() {
    return Stream.concat(lanes.values().stream(), shortcuts.values().stream().map(Shortcut::lane));
  }
}
