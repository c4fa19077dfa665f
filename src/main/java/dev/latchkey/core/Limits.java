package dev.latchkey.core;

import dev.latchkey.core.IdempotencyListener.Limit;
import dev.latchkey.net.TenantBudget;
import dev.latchkey.net.TenantBudget.Result;

/** Counts attempts, waiters and bodies of a node against its limits. Safe for use by any thread. */
final class Limits {

  private final IdempotencyListener listener;
  private final int maxParkedPerKey;
  private final TenantBudget running;
  private final TenantBudget parked;
  private final TenantBudget bodies;

  Limits(NodeOptions options, IdempotencyListener listener) {
    this.listener = listener;
    maxParkedPerKey = options.getMaxParkedPerKey();
    running = new TenantBudget(options.getMaxRunning(), options.getMaxRunningPerTenant());
    parked = new TenantBudget(options.getMaxParked(), options.getMaxParkedPerTenant());
    long bytes = options.getMaxParkedBodyBytes();
    boolean shares = options.getMaxRunningPerTenant() < options.getMaxRunning();
    bodies = new TenantBudget(bytes, shares ? bytes / 2 : bytes);
  }

  boolean tryRun(String tenant) {
    return isTaken(running.take(tenant, 1), Limit.RUNNING, Limit.RUNNING_PER_TENANT);
  }

  void ran(String tenant) {
    running.giveBack(tenant, 1);
  }

  int running() {
    return (int) running.taken();
  }

  int parked() {
    return (int) parked.taken();
  }

  boolean hasRoom(int waitersOfKey) {
    boolean room = waitersOfKey < maxParkedPerKey;
    if (!room) {
      listener.limitReached(Limit.PARKED_PER_KEY);
    }
    return room;
  }

  boolean tryPark(String tenant) {
    return isTaken(parked.take(tenant, 1), Limit.PARKED, Limit.PARKED_PER_TENANT);
  }

  void unparked(String tenant) {
    parked.giveBack(tenant, 1);
  }

  boolean tryHoldBody(String tenant, int bytes) {
    return isTaken(bodies.take(tenant, bytes), Limit.HELD, Limit.HELD_PER_TENANT);
  }

  void dropBody(String tenant, int bytes) {
    bodies.giveBack(tenant, bytes);
  }

  private boolean isTaken(Result result, Limit total, Limit perTenant) {
    if (result != Result.TAKEN) {
      listener.limitReached(result == Result.FULL ? total : perTenant);
    }
    return result == Result.TAKEN;
  }
}
