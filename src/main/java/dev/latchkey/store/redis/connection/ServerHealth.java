package dev.latchkey.store.redis.connection;

import dev.latchkey.net.Outage;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs outages and refusals of the servers, each in few lines. Safe for use by any thread. */
final class ServerHealth {

  private static final Logger LOG = LoggerFactory.getLogger(RedisConnections.class);
  private static final long REPEAT_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Outage outage = new Outage(LOG);
  private final Map<String, Long> loggedAtNanos = new HashMap<>();

  /** A connection is lost; it is identified by the same object until it is back. */
  void lost(Object connection, RedisAddress address, String reason) {
    outage.lost(connection, "Redis at " + address, reason);
  }

  /** A connection is back or no longer needed. */
  void recovered(Object connection) {
    outage.recovered(connection);
  }

  /** A server refuses calls; logged every 30 s for each code. */
  void refused(RedisAddress address, ServerError error) {
    long nowNanos = System.nanoTime();
    synchronized (this) {
      Long last = loggedAtNanos.get(error.code());
      if (last != null && nowNanos - last < REPEAT_NANOS) {
        return;
      }
      loggedAtNanos.put(error.code(), nowNanos);
    }
    LOG.warn("Redis at {} refuses calls: {}", address, error.text().lines().findFirst().orElse(""));
  }
}
