package dev.latchkey.store.postgres;

import io.netty.channel.EventLoop;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.pgclient.PgConnectOptions;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Makes the store's connections and closes them. Safe for any thread. */
final class Links {

  private final VertxInternal vertx;
  private final PostgresStoreOptions limits;
  private final Outage outage;
  private final Map<Session, PgConnectOptions> sessions = new EnumMap<>(Session.class);
  private final Queue<Link> all = new ConcurrentLinkedQueue<>();
  private final Queue<Link> renewable = new ConcurrentLinkedQueue<>();
  private final ContextInternal own;
  private final Runnable renewIdle = this::renewIdle;
  private volatile boolean closed;

  Links(Vertx vertx, PgConnectOptions connect, PostgresStoreOptions limits) {
    this.vertx = (VertxInternal) vertx;
    this.limits = limits;
    outage = Outage.of(vertx, connect.getHost() + ":" + connect.getPort());
    outage.enter(renewIdle);
    for (Session session : Session.values()) {
      sessions.put(session, session.options(connect, limits));
    }
    own = this.vertx.createEventLoopContext();
  }

  ContextInternal ownLoop() {
    return own;
  }

  /**
   * A connection that calls can do without: one that cannot be made or breaks says nothing of the
   * server, which others are told by.
   */
  Link optional(ContextInternal context) {
    return on(context, Session.STATEMENTS, Optional.empty());
  }

  Link onOwnLoop(Session session) {
    return on(own, session);
  }

  Link on(ContextInternal context, Session session) {
    return on(context, session, Optional.of(outage));
  }

  private Link on(ContextInternal context, Session session, Optional<Outage> outage) {
    Link link = new Link(context, options(session), limits, outage, renewIdle);
    all.add(link);
    if (session == Session.STATEMENTS) {
      // The others may be idle in the middle of a transaction.
      renewable.add(link);
    }
    if (closed) {
      link.close();
    }
    return link;
  }

  private PgConnectOptions options(Session session) {
    PgConnectOptions options = sessions.get(session);
    if (options == null) {
      throw new IllegalStateException("no session " + session);
    }
    return options;
  }

  /** A context of an event loop that no deployment owns: timers outlive whoever calls. */
  ContextInternal contextOf(EventLoop loop) {
    return vertx.contextBuilder().withEventLoop(loop).build();
  }

  Vertx vertx() {
    return vertx;
  }

  /** Whatever became of one connection may have become of all that were idle. */
  private void renewIdle() {
    for (Link link : renewable) {
      link.context().runOnContext(ignored -> link.renewIfIdle());
    }
  }

  Future<Void> close() {
    closed = true;
    outage.leave(renewIdle);
    return Future.join(all.stream().map(Link::close).toList()).mapEmpty();
  }
}
