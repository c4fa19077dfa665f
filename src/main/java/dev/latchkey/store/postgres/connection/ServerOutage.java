package dev.latchkey.store.postgres.connection;

import dev.latchkey.net.Outage;
import io.vertx.core.Vertx;
import io.vertx.core.shareddata.Shareable;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.LoggerFactory;

/**
 * Logs the outage of a server once for all its users in a Vert.x instance. It begins when a
 * connection breaks in use or cannot be made, and ends with the next connection that is made: a
 * broken one is remade only when it is needed. After a refused write it ends with the next
 * connection that is known to accept writes. Safe for any thread.
 */
final class ServerOutage implements Shareable {

  private static final String ALL = "dev.latchkey.store.postgres.outages";

  private final String server;
  private final Outage outage = new Outage(LoggerFactory.getLogger(ServerOutage.class));
  private final Set<Runnable> renewals = ConcurrentHashMap.newKeySet();
  private volatile boolean refusesWrites;

  /** Returns the one of a server in a Vert.x instance. */
  static ServerOutage of(Vertx vertx, String server) {
    return vertx
        .sharedData()
        .<String, ServerOutage>getLocalMap(ALL)
        .computeIfAbsent(server, ServerOutage::new);
  }

  private ServerOutage(String server) {
    this.server = server;
  }

  /**
   * Registers a user of the server.
   *
   * @param renew cuts its idle connections: they may lead to a server that accepts no writes, and
   *     would read from it forever
   */
  void register(Runnable renew) {
    renewals.add(renew);
  }

  /** Unregisters a user; the remaining users detect recovery themselves. */
  void unregister(Runnable renew) {
    renewals.remove(renew);
    refusesWrites = false;
  }

  void lost(String reason) {
    outage.lost(this, "Postgres at " + server, reason);
  }

  void refusedWrites(String reason) {
    refusesWrites = true;
    lost(reason);
  }

  /**
   * A connection was made.
   *
   * @param acceptsWrites whether that is known of it
   */
  void recovered(boolean acceptsWrites) {
    if (refusesWrites && !acceptsWrites) {
      return;
    }
    refusesWrites = false;
    outage.recovered(this);
    if (acceptsWrites) {
      renewals.forEach(Runnable::run);
    }
  }
}
