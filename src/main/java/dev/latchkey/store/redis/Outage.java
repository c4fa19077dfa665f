package dev.latchkey.store.redis;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of an outage in one line when it begins and one when it is over, however many connections
 * it costs. Safe for use by any thread.
 */
final class Outage {

  private static final Logger LOG = LoggerFactory.getLogger(Outage.class);
  private static final long TELL_AGAIN_NANOS = 30_000_000_000L;

  private final Set<Object> down = new HashSet<>();
  private final Map<String, Long> toldAtNanos = new HashMap<>();

  /**
   * A connection is gone.
   *
   * @param whose stands for the connection, the same object until it is up again
   * @param address its server
   * @param reason why, without secrets
   */
  void lost(Object whose, RedisAddress address, String reason) {
    boolean first;
    synchronized (this) {
      first = down.isEmpty();
      down.add(whose);
    }
    if (first) {
      LOG.warn(
          "Redis at {} is out of reach: {}; it is tried again until it is back", address, reason);
    }
  }

  /** The connection is there again, or wanted no more. */
  void over(Object whose) {
    boolean last;
    synchronized (this) {
      last = down.remove(whose) && down.isEmpty();
    }
    if (last) {
      LOG.info("Redis is in reach again");
    }
  }

  /** The server refuses calls; told once in a while for each kind of refusal. */
  void refused(RedisAddress address, String code, String text) {
    long nowNanos = System.nanoTime();
    synchronized (this) {
      Long last = toldAtNanos.get(code);
      if (last != null && nowNanos - last < TELL_AGAIN_NANOS) {
        return;
      }
      toldAtNanos.put(code, nowNanos);
    }
    LOG.warn("Redis at {} refuses calls: {}", address, text.lines().findFirst().orElse(code));
  }
}
