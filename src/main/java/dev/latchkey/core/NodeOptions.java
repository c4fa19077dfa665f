package dev.latchkey.core;

import static dev.latchkey.core.OptionChecks.duration;
import static dev.latchkey.core.OptionChecks.positive;

import io.vertx.core.json.JsonObject;

/**
 * Limits of one node. A setter throws IllegalArgumentException for a value that is not allowed. Not
 * thread-safe; a node copies its options.
 */
public final class NodeOptions {

  /** Default of {@link #setMaxParked}. */
  public static final int DEFAULT_MAX_PARKED = 20_000;

  /** Default of {@link #setMaxParkedPerTenant}. */
  public static final int DEFAULT_MAX_PARKED_PER_TENANT = 15_000;

  /** Default of {@link #setMaxParkedPerKey}. */
  public static final int DEFAULT_MAX_PARKED_PER_KEY = 10_000;

  /** Default of {@link #setMaxParkedBodyBytes}: 64 MiB. */
  public static final long DEFAULT_MAX_PARKED_BODY_BYTES = 64L << 20;

  /** Default of {@link #setMaxRunning}. */
  public static final int DEFAULT_MAX_RUNNING = 10_000;

  /** Default of {@link #setReplayCacheBytes}: 32 MiB. */
  public static final long DEFAULT_REPLAY_CACHE_BYTES = 32L << 20;

  /** Default of {@link #setStoreTimeoutMillis}: 5 seconds. */
  public static final long DEFAULT_STORE_TIMEOUT_MILLIS = 5_000;

  /** Default of {@link #setPurgeIntervalMillis}: 1 second. */
  public static final long DEFAULT_PURGE_INTERVAL_MILLIS = 1_000;

  private int maxParked = DEFAULT_MAX_PARKED;
  private int maxParkedPerTenant = DEFAULT_MAX_PARKED_PER_TENANT;
  private int maxParkedPerKey = DEFAULT_MAX_PARKED_PER_KEY;
  private long maxParkedBodyBytes = DEFAULT_MAX_PARKED_BODY_BYTES;
  private int maxRunning = DEFAULT_MAX_RUNNING;
  private int maxRunningPerTenant = Integer.MAX_VALUE;
  private long replayCacheBytes = DEFAULT_REPLAY_CACHE_BYTES;
  private long storeTimeoutMillis = DEFAULT_STORE_TIMEOUT_MILLIS;
  private long purgeIntervalMillis = DEFAULT_PURGE_INTERVAL_MILLIS;

  /** Creates options with the defaults. */
  public NodeOptions() {}

  /**
   * Creates a copy.
   *
   * @param other the options to copy
   */
  public NodeOptions(NodeOptions other) {
    this(other.toJson());
  }

  /**
   * Creates options from JSON, with members named as in {@link #toJson()}.
   *
   * @param json the options; an absent member keeps its default
   * @throws IllegalArgumentException if a value is not allowed
   * @throws ClassCastException if a value has the wrong type
   */
  public NodeOptions(JsonObject json) {
    setMaxParked(json.getInteger("maxParked", maxParked));
    setMaxParkedPerTenant(json.getInteger("maxParkedPerTenant", maxParkedPerTenant));
    setMaxParkedPerKey(json.getInteger("maxParkedPerKey", maxParkedPerKey));
    setMaxParkedBodyBytes(json.getLong("maxParkedBodyBytes", maxParkedBodyBytes));
    setMaxRunning(json.getInteger("maxRunning", maxRunning));
    setMaxRunningPerTenant(json.getInteger("maxRunningPerTenant", maxRunningPerTenant));
    setReplayCacheBytes(json.getLong("replayCacheBytes", replayCacheBytes));
    setStoreTimeoutMillis(json.getLong("storeTimeoutMillis", storeTimeoutMillis));
    setPurgeIntervalMillis(json.getLong("purgeIntervalMillis", purgeIntervalMillis));
  }

  /** Returns all options as JSON. */
  public JsonObject toJson() {
    return new JsonObject()
        .put("maxParked", maxParked)
        .put("maxParkedPerTenant", maxParkedPerTenant)
        .put("maxParkedPerKey", maxParkedPerKey)
        .put("maxParkedBodyBytes", maxParkedBodyBytes)
        .put("maxRunning", maxRunning)
        .put("maxRunningPerTenant", maxRunningPerTenant)
        .put("replayCacheBytes", replayCacheBytes)
        .put("storeTimeoutMillis", storeTimeoutMillis)
        .put("purgeIntervalMillis", purgeIntervalMillis);
  }

  /** Returns the maximum number of parked requests. */
  public int getMaxParked() {
    return maxParked;
  }

  /**
   * Sets the maximum number of requests parked on this node; above it, duplicates get 429.
   *
   * @param maxParked positive
   * @return this
   */
  public NodeOptions setMaxParked(int maxParked) {
    this.maxParked = positive("maxParked", maxParked);
    return this;
  }

  /** Returns the maximum number of parked requests of one tenant. */
  public int getMaxParkedPerTenant() {
    return maxParkedPerTenant;
  }

  /**
   * Sets the maximum number of one tenant's requests parked on this node; above it, its duplicates
   * get 429.
   *
   * @param maxParkedPerTenant positive
   * @return this
   */
  public NodeOptions setMaxParkedPerTenant(int maxParkedPerTenant) {
    this.maxParkedPerTenant = positive("maxParkedPerTenant", maxParkedPerTenant);
    return this;
  }

  /** Returns the maximum number of parked requests with one key. */
  public int getMaxParkedPerKey() {
    return maxParkedPerKey;
  }

  /**
   * Sets the maximum number of requests with one key parked on this node; above it, duplicates get
   * 429.
   *
   * @param maxParkedPerKey positive
   * @return this
   */
  public NodeOptions setMaxParkedPerKey(int maxParkedPerKey) {
    this.maxParkedPerKey = positive("maxParkedPerKey", maxParkedPerKey);
    return this;
  }

  /** Returns the maximum total size of the request bodies held for parked keys. */
  public long getMaxParkedBodyBytes() {
    return maxParkedBodyBytes;
  }

  /**
   * Sets the maximum total size of the request bodies held for parked keys, one body per key; a
   * request that would exceed it gets 429.
   *
   * @param maxParkedBodyBytes positive
   * @return this
   */
  public NodeOptions setMaxParkedBodyBytes(long maxParkedBodyBytes) {
    this.maxParkedBodyBytes = positive("maxParkedBodyBytes", maxParkedBodyBytes);
    return this;
  }

  /** Returns the maximum number of concurrent attempts. */
  public int getMaxRunning() {
    return maxRunning;
  }

  /**
   * Sets the maximum number of concurrent attempts on this node; above it, a request gets 503
   * {@code overloaded} before it claims its key.
   *
   * @param maxRunning positive
   * @return this
   */
  public NodeOptions setMaxRunning(int maxRunning) {
    this.maxRunning = positive("maxRunning", maxRunning);
    return this;
  }

  /** Returns the maximum number of concurrent attempts of one tenant. */
  public int getMaxRunningPerTenant() {
    return maxRunningPerTenant;
  }

  /**
   * Sets the maximum number of one tenant's concurrent attempts on this node; by default there is
   * none. Below {@link #setMaxRunning}, a tenant also gets at most half of the held bodies.
   *
   * @param maxRunningPerTenant positive
   * @return this
   */
  public NodeOptions setMaxRunningPerTenant(int maxRunningPerTenant) {
    this.maxRunningPerTenant = positive("maxRunningPerTenant", maxRunningPerTenant);
    return this;
  }

  /** Returns the size of the replay cache in bytes. */
  public long getReplayCacheBytes() {
    return replayCacheBytes;
  }

  /**
   * Sets how many bytes of completed responses this node keeps, to replay them without the store.
   *
   * @param replayCacheBytes positive, or 0 for no cache
   * @return this
   */
  public NodeOptions setReplayCacheBytes(long replayCacheBytes) {
    this.replayCacheBytes =
        replayCacheBytes == 0 ? 0 : positive("replayCacheBytes", replayCacheBytes);
    return this;
  }

  /** Returns how long a request waits for the store, in milliseconds. */
  public long getStoreTimeoutMillis() {
    return storeTimeoutMillis;
  }

  /**
   * Sets how long a request waits for the store before it gets 503 {@code store-unavailable}.
   *
   * @param storeTimeoutMillis positive; more than 100 years are 100 years
   * @return this
   */
  public NodeOptions setStoreTimeoutMillis(long storeTimeoutMillis) {
    this.storeTimeoutMillis = duration("storeTimeoutMillis", storeTimeoutMillis);
    return this;
  }

  /** Returns the pause between two purges of expired keys, in milliseconds. */
  public long getPurgeIntervalMillis() {
    return purgeIntervalMillis;
  }

  /**
   * Sets the pause between two purges of expired keys, once purging is started.
   *
   * @param purgeIntervalMillis positive; more than 100 years are 100 years
   * @return this
   */
  public NodeOptions setPurgeIntervalMillis(long purgeIntervalMillis) {
    this.purgeIntervalMillis = duration("purgeIntervalMillis", purgeIntervalMillis);
    return this;
  }
}
