package dev.latchkey.store.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.pgclient.PgConnectOptions;
import java.util.EnumMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Makes the store's connections and closes them. Safe for any thread. */
final class Links {

  private final Limits limits;
  private final Outage outage;
  private final Map<Session, PgConnectOptions> sessions = new EnumMap<>(Session.class);
  private final Queue<Link> all = new ConcurrentLinkedQueue<>();
  private final Queue<Link> renewable = new ConcurrentLinkedQueue<>();
  private final ContextInternal own;
  private final Runnable renewIdle = this::renewIdle;
  private volatile boolean closed;

  Links(Vertx vertx, PgConnectOptions connect, Limits limits) {
    this.limits = limits;
    outage = Outage.of(vertx, connect.getHost() + ":" + connect.getPort());
    outage.enter(renewIdle);
    for (Session session : Session.values()) {
      sessions.put(session, session.options(connect, limits));
    }
    own = ((VertxInternal) vertx).createEventLoopContext();
  }

  ContextInternal ownLoop() {
    return own;
  }

  Link onOwnLoop(Session session) {
    Link link = new Link(own, options(session), limits, outage, renewIdle);
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
