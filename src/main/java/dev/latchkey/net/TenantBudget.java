package dev.latchkey.net;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits an amount, such as requests or bytes, in total and per tenant. Remembers only tenants with
 * a share. Safe for use by any thread.
 */
public final class TenantBudget {

  /** The result of taking a share. */
  public enum Result {
    /** The amount counts until it is given back. */
    TAKEN,
    /** Nothing was taken: the total would exceed its limit. */
    FULL,
    /** Nothing was taken: the tenant's share would exceed its limit. */
    TENANT_FULL
  }

  private final long limit;
  private final long limitPerTenant;
  private final AtomicLong taken = new AtomicLong();
  private final ConcurrentHashMap<String, Long> byTenant = new ConcurrentHashMap<>();

  /**
   * Creates a budget of which nothing is taken.
   *
   * @param limit of the total
   * @param limitPerTenant of each tenant's share; one of {@code limit} or more has no effect
   */
  public TenantBudget(long limit, long limitPerTenant) {
    this.limit = limit;
    this.limitPerTenant = limitPerTenant;
  }

  /**
   * Takes an amount if both limits allow it. A refused amount never counts, even briefly.
   *
   * @param tenant whose share it is
   * @param amount 0 or more
   * @return whether it was taken
   */
  public Result take(String tenant, long amount) {
    if (limitPerTenant < limit && !takeShare(tenant, amount)) {
      return Result.TENANT_FULL;
    }
    long before = taken.getAndUpdate(it -> limit - it >= amount ? it + amount : it);
    if (limit - before >= amount) {
      return Result.TAKEN;
    }
    giveBackShare(tenant, amount);
    return Result.FULL;
  }

  private boolean takeShare(String tenant, long amount) {
    boolean[] fits = new boolean[1];
    byTenant.compute(
        tenant,
        (name, share) -> {
          long before = share == null ? 0 : share;
          fits[0] = limitPerTenant - before >= amount;
          return fits[0] ? Long.valueOf(before + amount) : share;
        });
    return fits[0];
  }

  /**
   * Gives an amount back.
   *
   * @param tenant that took it
   * @param amount at most what the tenant has taken
   */
  public void giveBack(String tenant, long amount) {
    giveBackShare(tenant, amount);
    taken.addAndGet(-amount);
  }

  private void giveBackShare(String tenant, long amount) {
    if (limitPerTenant < limit) {
      byTenant.computeIfPresent(tenant, (name, share) -> share == amount ? null : share - amount);
    }
  }

  /** Returns the total that is taken. */
  public long taken() {
    return taken.get();
  }
}
