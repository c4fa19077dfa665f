package dev.latchkey.core;

/** Limits of one node. Every setter refuses what is not allowed with IllegalArgumentException. */
public final class NodeOptions {

  /** Default of {@link #setMaxParked(int)}. */
  public static final int DEFAULT_MAX_PARKED = 20_000;

  /** Default of {@link #setMaxParkedPerTenant(int)}. */
  public static final int DEFAULT_MAX_PARKED_PER_TENANT = 15_000;

  /** Default of {@link #setMaxParkedPerKey(int)}. */
  public static final int DEFAULT_MAX_PARKED_PER_KEY = 10_000;

  /** Default of {@link #setMaxParkedBodyBytes(long)}: 64 MiB. */
  public static final long DEFAULT_MAX_PARKED_BODY_BYTES = 64L << 20;

  /** Default of {@link #setMaxRunning(int)}. */
  public static final int DEFAULT_MAX_RUNNING = 10_000;

  /** Default of {@link #setReplayCacheBytes(long)}: 32 MiB. */
  public static final long DEFAULT_REPLAY_CACHE_BYTES = 32L << 20;

  /** Default of {@link #setStoreTimeoutMillis(long)}. */
  public static final long DEFAULT_STORE_TIMEOUT_MILLIS = 5_000;

  private int maxParked = DEFAULT_MAX_PARKED;
  private int maxParkedPerTenant = DEFAULT_MAX_PARKED_PER_TENANT;
  private int maxParkedPerKey = DEFAULT_MAX_PARKED_PER_KEY;
  private long maxParkedBodyBytes = DEFAULT_MAX_PARKED_BODY_BYTES;
  private int maxRunning = DEFAULT_MAX_RUNNING;
  private long replayCacheBytes = DEFAULT_REPLAY_CACHE_BYTES;
  private long storeTimeoutMillis = DEFAULT_STORE_TIMEOUT_MILLIS;

  /** All defaults. */
  public NodeOptions() {}

  /**
   * A copy.
   *
   * @param other what to copy
   */
  public NodeOptions(NodeOptions other) {
    maxParked = other.maxParked;
    maxParkedPerTenant = other.maxParkedPerTenant;
    maxParkedPerKey = other.maxParkedPerKey;
    maxParkedBodyBytes = other.maxParkedBodyBytes;
    maxRunning = other.maxRunning;
    replayCacheBytes = other.replayCacheBytes;
    storeTimeoutMillis = other.storeTimeoutMillis;
  }

  /** Returns how many requests may be parked on this node. */
  public int getMaxParked() {
    return maxParked;
  }

  /**
   * Sets how many requests may be parked on this node; more are answered 429.
   *
   * @param maxParked positive
   * @return this
   */
  public NodeOptions setMaxParked(int maxParked) {
    this.maxParked = (int) positive("maxParked", maxParked);
    return this;
  }

  /** Returns how many requests of one tenant may be parked on this node. */
  public int getMaxParkedPerTenant() {
    return maxParkedPerTenant;
  }

  /**
   * Sets how many requests of one tenant may be parked on this node; more are answered 429.
   *
   * @param maxParkedPerTenant positive
   * @return this
   */
  public NodeOptions setMaxParkedPerTenant(int maxParkedPerTenant) {
    this.maxParkedPerTenant = (int) positive("maxParkedPerTenant", maxParkedPerTenant);
    return this;
  }

  /** Returns how many requests with one key may be parked on this node. */
  public int getMaxParkedPerKey() {
    return maxParkedPerKey;
  }

  /**
   * Sets how many requests with one key may be parked on this node; more are answered 429.
   *
   * @param maxParkedPerKey positive
   * @return this
   */
  public NodeOptions setMaxParkedPerKey(int maxParkedPerKey) {
    this.maxParkedPerKey = (int) positive("maxParkedPerKey", maxParkedPerKey);
    return this;
  }

  /** Returns how many bytes of request bodies the parked keys of this node may hold together. */
  public long getMaxParkedBodyBytes() {
    return maxParkedBodyBytes;
  }

  /**
   * Sets how many bytes of request bodies the parked keys of this node may hold together, one body
   * a key; a request that would exceed it is answered 429.
   *
   * @param maxParkedBodyBytes positive
   * @return this
   */
  public NodeOptions setMaxParkedBodyBytes(long maxParkedBodyBytes) {
    this.maxParkedBodyBytes = positive("maxParkedBodyBytes", maxParkedBodyBytes);
    return this;
  }

  /** Returns how many attempts may run on this node at a time. */
  public int getMaxRunning() {
    return maxRunning;
  }

  /**
   * Sets how many attempts may run on this node at a time; more are answered 503 {@code overloaded}
   * before the claim.
   *
   * @param maxRunning positive
   * @return this
   */
  public NodeOptions setMaxRunning(int maxRunning) {
    this.maxRunning = (int) positive("maxRunning", maxRunning);
    return this;
  }

  /** Returns how many bytes of completed answers this node keeps to replay. */
  public long getReplayCacheBytes() {
    return replayCacheBytes;
  }

  /**
   * Sets how many bytes of completed answers this node keeps to replay without asking the store.
   *
   * @param replayCacheBytes 0 for none, or positive
   * @return this
   */
  public NodeOptions setReplayCacheBytes(long replayCacheBytes) {
    this.replayCacheBytes =
        replayCacheBytes == 0 ? 0 : positive("replayCacheBytes", replayCacheBytes);
    return this;
  }

  /** Returns how long a request waits for an answer of the store, in milliseconds. */
  public long getStoreTimeoutMillis() {
    return storeTimeoutMillis;
  }

  /**
   * Sets how long a request waits for an answer of the store before it is told 503 {@code
   * store-unavailable}.
   *
   * @param storeTimeoutMillis positive
   * @return this
   */
  public NodeOptions setStoreTimeoutMillis(long storeTimeoutMillis) {
    this.storeTimeoutMillis = positive("storeTimeoutMillis", storeTimeoutMillis);
    return this;
  }

  private static long positive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " is " + value + ", it must be positive");
    }
    return value;
  }
}
