package dev.latchkey.store.postgres;

import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The lane of each event loop that calls, and one for everybody else. Safe for any thread. */
final class Lanes {

  private final ConcurrentMap<EventLoop, Lane> lanes = new ConcurrentHashMap<>();
  private final Links links;
  private final PostgresStoreOptions limits;
  private final Lane shared;

  Lanes(Links links, PostgresStoreOptions limits) {
    this.links = links;
    this.limits = limits;
    shared = new Lane(links::onOwnLoop, limits);
    lanes.put(links.ownLoop().nettyEventLoop(), shared);
  }

  Lane ofCaller() {
    ContextInternal context = ContextInternal.current();
    if (context == null || context.owner() != links.vertx() || !context.inThread()) {
      return shared;
    }
    EventLoop loop = context.nettyEventLoop();
    if (!loop.inEventLoop()) {
      return shared;
    }
    Lane known = lanes.get(loop);
    if (known != null) {
      return known;
    }
    return lanes.size() < limits.maxLanes() ? lanes.computeIfAbsent(loop, this::open) : shared;
  }

  private Lane open(EventLoop loop) {
    ContextInternal context = links.contextOf(loop);
    return new Lane(session -> links.on(context, session), limits);
  }

  long claimStatements() {
    return lanes.values().stream().mapToLong(Lane::claimStatements).sum();
  }

  Future<Void> close() {
    return Future.join(lanes.values().stream().map(Lane::close).toList()).mapEmpty();
  }
}
