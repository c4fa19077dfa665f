package dev.latchkey.core;

import dev.latchkey.core.IdempotencyListener.Limit;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts attempts, waiters and bodies of a node against its limits. Safe for use by any thread. */
final class Limits {

  private final NodeOptions options;
  private final IdempotencyListener listener;
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger parked = new AtomicInteger();
  private final AtomicLong parkedBodyBytes = new AtomicLong();

  /** Holds only tenants with parked callers. */
  private final ConcurrentHashMap<String, Integer> parkedByTenant = new ConcurrentHashMap<>();

  Limits(NodeOptions options, IdempotencyListener listener) {
    this.options = options;
    this.listener = listener;
  }

  boolean tryRun() {
    return reported(Limit.RUNNING, tryIncrement(running, options.getMaxRunning()));
  }

  void ran() {
    running.decrementAndGet();
  }

  int running() {
    return running.get();
  }

  int parked() {
    return parked.get();
  }

  boolean hasRoom(int waitersOfKey) {
    return reported(Limit.PARKED_PER_KEY, waitersOfKey < options.getMaxParkedPerKey());
  }

  boolean tryPark(String tenant) {
    if (!reported(Limit.PARKED, tryIncrement(parked, options.getMaxParked()))) {
      return false;
    }
    int most = options.getMaxParkedPerTenant();
    boolean[] counted = new boolean[1];
    parkedByTenant.compute(
        tenant,
        (name, count) -> {
          int before = count == null ? 0 : count;
          counted[0] = before < most;
          return counted[0] ? Integer.valueOf(before + 1) : count;
        });
    if (!counted[0]) {
      parked.decrementAndGet();
    }
    return reported(Limit.PARKED_PER_TENANT, counted[0]);
  }

  void unparked(String tenant) {
    parked.decrementAndGet();
    parkedByTenant.computeIfPresent(tenant, (name, count) -> count == 1 ? null : count - 1);
  }

  boolean tryHoldBody(int bytes) {
    if (parkedBodyBytes.addAndGet(bytes) <= options.getMaxParkedBodyBytes()) {
      return true;
    }
    parkedBodyBytes.addAndGet(-bytes);
    return reported(Limit.HELD, false);
  }

  void dropBody(int bytes) {
    parkedBodyBytes.addAndGet(-bytes);
  }

  private boolean reported(Limit limit, boolean admitted) {
    if (!admitted) {
      listener.limitReached(limit);
    }
    return admitted;
  }

  /** Never exceeds the limit, even briefly: a drain waits for exactly zero. */
  private static boolean tryIncrement(AtomicInteger counter, int most) {
    return counter.getAndUpdate(count -> count < most ? count + 1 : count) < most;
  }
}
