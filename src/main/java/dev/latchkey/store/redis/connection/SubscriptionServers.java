package dev.latchkey.store.redis.connection;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Chooses the server of a subscription. Confined to one event loop. */
final class SubscriptionServers {

  private static final long LEARN_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final RedisConnections connections;
  private int attempts;
  private long learnedAtNanos = System.nanoTime() - LEARN_PAUSE_NANOS;

  SubscriptionServers(RedisConnections connections) {
    this.connections = connections;
  }

  /**
   * The next server after each failure, to get past a dead one: first those that have slots, then
   * all that were ever named.
   */
  RedisAddress next(int failures) {
    SlotMap slots = connections.slots();
    List<RedisAddress> known = new ArrayList<>(slots.masters());
    if (known.isEmpty() || failures >= known.size()) {
      known = new ArrayList<>(slots.known());
    }
    return known.get(Math.floorMod(attempts++, known.size()));
  }

  /** Whether a server has no slots of its cluster any more; asks now and then. */
  boolean hasNoSlots(RedisAddress server) {
    if (!connections.slots().isCluster()) {
      return false;
    }
    long nowNanos = System.nanoTime();
    if (nowNanos - learnedAtNanos >= LEARN_PAUSE_NANOS) {
      learnedAtNanos = nowNanos;
      connections.learnSlots();
    }
    Set<RedisAddress> masters = connections.slots().masters();
    return !masters.isEmpty() && !masters.contains(server);
  }
}
