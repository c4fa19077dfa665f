package dev.latchkey.store.postgres;

import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The lane of each event loop that calls, and one for everybody else. Safe for any thread.
 *
 * @param <L> the calls of one event loop
 */
final class Lanes<L extends Lanes.OfLoop> {

  /** The calls of one event loop, with connections of its own. */
  interface OfLoop {
    /** Ends its connections. */
    Future<Void> close();
  }

  private final ConcurrentMap<EventLoop, L> lanes = new ConcurrentHashMap<>();
  private final Links links;
  private final int maxLanes;
  private final Function<Function<Session, Link>, L> open;
  private final L shared;

  /**
   * Opens the shared lane.
   *
   * @param links makes connections
   * @param maxLanes further event loops use the shared lane
   * @param open makes a lane of connections that it asks for
   */
  Lanes(Links links, int maxLanes, Function<Function<Session, Link>, L> open) {
    this.links = links;
    this.maxLanes = maxLanes;
    this.open = open;
    shared = open.apply(links::onOwnLoop);
    lanes.put(links.ownLoop().nettyEventLoop(), shared);
  }

  L ofCaller() {
    ContextInternal context = ContextInternal.current();
    if (context == null || context.owner() != links.vertx() || !context.inThread()) {
      return shared;
    }
    EventLoop loop = context.nettyEventLoop();
    if (!loop.inEventLoop()) {
      return shared;
    }
    L known = lanes.get(loop);
    if (known != null) {
      return known;
    }
    return lanes.size() < maxLanes ? lanes.computeIfAbsent(loop, this::openOn) : shared;
  }

  private L openOn(EventLoop loop) {
    ContextInternal context = links.contextOf(loop);
    return open.apply(session -> links.on(context, session));
  }

  long sum(ToLongFunction<L> count) {
    return lanes.values().stream().mapToLong(count).sum();
  }

  Future<Void> close() {
    return Future.join(lanes.values().stream().map(OfLoop::close).toList()).mapEmpty();
  }
}
