package dev.latchkey.web;

import static dev.latchkey.core.OptionChecks.duration;
import static dev.latchkey.core.OptionChecks.positive;

import dev.latchkey.core.LostOwner;
import io.vertx.core.json.JsonObject;

/** The options of an operation's execution. A duration over 100 years becomes 100 years. */
abstract class ExecutionOptions<T extends ExecutionOptions<T>> {

  /** Default of {@link #setRetentionMillis}: 24 hours. */
  public static final long DEFAULT_RETENTION_MILLIS = 86_400_000;

  /** Default of {@link #setLeaseMillis}: 10 seconds. */
  public static final long DEFAULT_LEASE_MILLIS = 10_000;

  /** Default of {@link #setRunLimitMillis}: 5 minutes. */
  public static final long DEFAULT_RUN_LIMIT_MILLIS = 300_000;

  /** Default of {@link #setWaitMillis}: 30 seconds. */
  public static final long DEFAULT_WAIT_MILLIS = 30_000;

  /** Default of {@link #setWaitMaxMillis}: 60 seconds. */
  public static final long DEFAULT_WAIT_MAX_MILLIS = 60_000;

  /** Default of {@link #setEffectsInStore}. */
  public static final boolean DEFAULT_EFFECTS_IN_STORE = false;

  /** Default of {@link #setOnLostOwner}. */
  public static final LostOwner DEFAULT_ON_LOST_OWNER = LostOwner.TAKE_OVER;

  /** Default of {@link #setMaxResponseBytes}: 1 MiB. */
  public static final int DEFAULT_MAX_RESPONSE_BYTES = 1 << 20;

  private long retentionMillis = DEFAULT_RETENTION_MILLIS;
  private long leaseMillis = DEFAULT_LEASE_MILLIS;
  private long runLimitMillis = DEFAULT_RUN_LIMIT_MILLIS;
  private long waitMillis = DEFAULT_WAIT_MILLIS;
  private long waitMaxMillis = DEFAULT_WAIT_MAX_MILLIS;
  private boolean effectsInStore = DEFAULT_EFFECTS_IN_STORE;
  private LostOwner onLostOwner = DEFAULT_ON_LOST_OWNER;
  private int maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES;

  abstract T self();

  final void readExecution(JsonObject json) {
    setRetentionMillis(json.getLong("retentionMillis", retentionMillis));
    setLeaseMillis(json.getLong("leaseMillis", leaseMillis));
    setRunLimitMillis(json.getLong("runLimitMillis", runLimitMillis));
    setWaitMillis(json.getLong("waitMillis", waitMillis));
    setWaitMaxMillis(json.getLong("waitMaxMillis", waitMaxMillis));
    setEffectsInStore(json.getBoolean("effectsInStore", effectsInStore));
    setOnLostOwner(LostOwner.valueOf(json.getString("onLostOwner", onLostOwner.name())));
    setMaxResponseBytes(json.getInteger("maxResponseBytes", maxResponseBytes));
  }

  final JsonObject executionToJson() {
    return new JsonObject()
        .put("retentionMillis", retentionMillis)
        .put("leaseMillis", leaseMillis)
        .put("runLimitMillis", runLimitMillis)
        .put("waitMillis", waitMillis)
        .put("waitMaxMillis", waitMaxMillis)
        .put("effectsInStore", effectsInStore)
        .put("onLostOwner", onLostOwner.name())
        .put("maxResponseBytes", maxResponseBytes);
  }

  /** Returns how long a key is kept, in milliseconds from its first use. */
  public long getRetentionMillis() {
    return retentionMillis;
  }

  /**
   * Sets how long a key is kept, counted from its first use. It must not be shorter than the lease,
   * which is checked when the handler is created.
   *
   * @param retentionMillis positive
   * @return this
   */
  public T setRetentionMillis(long retentionMillis) {
    this.retentionMillis = duration("retentionMillis", retentionMillis);
    return self();
  }

  /** Returns the lifetime of a claim without a renewal, in milliseconds. */
  public long getLeaseMillis() {
    return leaseMillis;
  }

  /**
   * Sets the lifetime of a claim without a renewal. Another node takes over after this time if the
   * owner dies.
   *
   * @param leaseMillis positive
   * @return this
   */
  public T setLeaseMillis(long leaseMillis) {
    this.leaseMillis = duration("leaseMillis", leaseMillis);
    return self();
  }

  /** Returns the maximum duration of one attempt, in milliseconds. */
  public long getRunLimitMillis() {
    return runLimitMillis;
  }

  /**
   * Sets the maximum duration of one attempt. After it the lease is no longer renewed and callers
   * get 503 {@code attempt-unresolved}.
   *
   * @param runLimitMillis positive
   * @return this
   */
  public T setRunLimitMillis(long runLimitMillis) {
    this.runLimitMillis = duration("runLimitMillis", runLimitMillis);
    return self();
  }

  /** Returns how long a duplicate is parked by default, in milliseconds. */
  public long getWaitMillis() {
    return waitMillis;
  }

  /**
   * Sets how long a duplicate is parked if its request has no {@code Prefer: wait}.
   *
   * @param waitMillis positive
   * @return this
   */
  public T setWaitMillis(long waitMillis) {
    this.waitMillis = duration("waitMillis", waitMillis);
    return self();
  }

  /** Returns the longest wait that a request can ask for, in milliseconds. */
  public long getWaitMaxMillis() {
    return waitMaxMillis;
  }

  /**
   * Sets the longest wait that a request can ask for with {@code Prefer: wait}.
   *
   * @param waitMaxMillis positive
   * @return this
   */
  public T setWaitMaxMillis(long waitMaxMillis) {
    this.waitMaxMillis = duration("waitMaxMillis", waitMaxMillis);
    return self();
  }

  /** Returns whether all effects of the handlers are in the store. */
  public boolean isEffectsInStore() {
    return effectsInStore;
  }

  /**
   * Sets whether all effects of the handlers are in the store. Then a claim need not be durable
   * before they run.
   *
   * @param effectsInStore true if the handlers call no other system
   * @return this
   */
  public T setEffectsInStore(boolean effectsInStore) {
    this.effectsInStore = effectsInStore;
    return self();
  }

  /** Returns what happens to a key whose owner died. */
  public LostOwner getOnLostOwner() {
    return onLostOwner;
  }

  /**
   * Sets what happens to a key whose owner died.
   *
   * @param onLostOwner whether another request takes over
   * @return this
   */
  public T setOnLostOwner(LostOwner onLostOwner) {
    this.onLostOwner = onLostOwner;
    return self();
  }

  /** Returns the largest body that is stored, in bytes. */
  public int getMaxResponseBytes() {
    return maxResponseBytes;
  }

  /**
   * Sets the largest body that is stored. A larger response reaches only its first caller.
   *
   * @param maxResponseBytes positive
   * @return this
   */
  public T setMaxResponseBytes(int maxResponseBytes) {
    this.maxResponseBytes = positive("maxResponseBytes", maxResponseBytes);
    return self();
  }
}
