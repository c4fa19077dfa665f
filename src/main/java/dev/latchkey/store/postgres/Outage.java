package dev.latchkey.store.postgres;

import io.vertx.core.Vertx;
import io.vertx.core.shareddata.Shareable;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells in one line that the server is lost and in one that it is back, whoever in this process
 * uses it. Lost is what broke while it was in use or could not be made; back is the next connection
 * that was made, whoever needed it: connections are made when they are used, so one that broke may
 * never be wanted again. A server that refused a write is back with the next connection of which it
 * is known that it takes writes: others are made all the while. Safe for any thread.
 */
final class Outage implements Shareable {

  private static final String ALL = "dev.latchkey.store.postgres.outages";

  private static final Logger LOG = LoggerFactory.getLogger(PostgresStore.class);
  private static final long NONE = Long.MIN_VALUE;

  private final String server;
  private final AtomicLong sinceNanos = new AtomicLong(NONE);
  private final Set<Runnable> renewals = ConcurrentHashMap.newKeySet();
  private volatile boolean takesNoWrites;

  /** The one of a server in this Vert.x instance. */
  static Outage of(Vertx vertx, String server) {
    return vertx.sharedData().<String, Outage>getLocalMap(ALL).computeIfAbsent(server, Outage::new);
  }

  private Outage(String server) {
    this.server = server;
  }

  /**
   * Enters somebody who uses the server.
   *
   * @param renew gives up idle connections: they may lead to a server that took no writes, and
   *     would read from it for ever
   */
  void enter(Runnable renew) {
    renewals.add(renew);
  }

  /** Who entered uses it no more; whatever he was about to find out, others are told by theirs. */
  void leave(Runnable renew) {
    renewals.remove(renew);
    takesNoWrites = false;
  }

  void lost(String why) {
    if (sinceNanos.compareAndSet(NONE, System.nanoTime())) {
      LOG.warn("Postgres at {} is lost: {}; connecting again", server, why);
    }
  }

  void refusedWrites(String why) {
    takesNoWrites = true;
    lost(why);
  }

  /**
   * A connection was made.
   *
   * @param takesWrites whether that is known of it
   */
  void recovered(boolean takesWrites) {
    if (takesNoWrites && !takesWrites) {
      return;
    }
    takesNoWrites = false;
    long since = sinceNanos.getAndSet(NONE);
    if (since != NONE) {
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
      LOG.info("Postgres at {} is back after {} ms", server, millis);
    }
    if (takesWrites) {
      renewals.forEach(Runnable::run);
    }
  }
}
