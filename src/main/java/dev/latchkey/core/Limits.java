package dev.latchkey.core;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what a node runs and parks against its bounds. Safe for use by any thread. */
final class Limits {

  private final NodeOptions options;
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger parked = new AtomicInteger();
  private final AtomicLong parkedBodyBytes = new AtomicLong();

  /** Holds only tenants that have somebody parked. */
  private final ConcurrentHashMap<String, Integer> parkedByTenant = new ConcurrentHashMap<>();

  Limits(NodeOptions options) {
    this.options = options;
  }

  boolean tryRun() {
    return tryIncrement(running, options.getMaxRunning());
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

  int maxParkedPerKey() {
    return options.getMaxParkedPerKey();
  }

  boolean tryPark(String tenant) {
    if (!tryIncrement(parked, options.getMaxParked())) {
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
    return counted[0];
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
    return false;
  }

  void dropBody(int bytes) {
    parkedBodyBytes.addAndGet(-bytes);
  }

  /** Never counts more than there are: what waits for zero would miss it. */
  private static boolean tryIncrement(AtomicInteger counter, int most) {
    return counter.getAndUpdate(count -> count < most ? count + 1 : count) < most;
  }
}
