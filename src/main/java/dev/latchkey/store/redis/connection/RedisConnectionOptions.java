package dev.latchkey.store.redis.connection;

import io.vertx.core.json.JsonObject;

/**
 * Timeouts and bounds of {@link RedisConnections}. The defaults suit most nodes. Mutable and not
 * thread-safe; connections read their options once, when they are created.
 *
 * <p>Every setter throws {@link IllegalArgumentException} if its value is not positive.
 */
public final class RedisConnectionOptions {

  /** Default of {@link #getConnectTimeoutMillis}: 2 s. */
  public static final long DEFAULT_CONNECT_TIMEOUT_MILLIS = 2_000;

  /** Default of {@link #getCallTimeoutMillis}: 4 s. */
  public static final long DEFAULT_CALL_TIMEOUT_MILLIS = 4_000;

  /** Default of {@link #getMaxWaitingCalls}: 8,192 calls. */
  public static final int DEFAULT_MAX_WAITING_CALLS = 8_192;

  /** Default of {@link #getMaxWaitingBytes}: 64 MiB. */
  public static final long DEFAULT_MAX_WAITING_BYTES = 64L << 20;

  private long connectTimeoutMillis = DEFAULT_CONNECT_TIMEOUT_MILLIS;
  private long callTimeoutMillis = DEFAULT_CALL_TIMEOUT_MILLIS;
  private int maxWaitingCalls = DEFAULT_MAX_WAITING_CALLS;
  private long maxWaitingBytes = DEFAULT_MAX_WAITING_BYTES;

  /** Creates options with the defaults. */
  public RedisConnectionOptions() {}

  /** Copies options. */
  public RedisConnectionOptions(RedisConnectionOptions other) {
    this(other.toJson());
  }

  /**
   * Reads options; an absent member keeps its default.
   *
   * @param json has the members that {@link #toJson} writes; others are ignored
   * @throws IllegalArgumentException if a value is not positive
   * @throws ClassCastException if a value has another type
   */
  public RedisConnectionOptions(JsonObject json) {
    setConnectTimeoutMillis(json.getLong("connectTimeoutMillis", connectTimeoutMillis));
    setCallTimeoutMillis(json.getLong("callTimeoutMillis", callTimeoutMillis));
    setMaxWaitingCalls(json.getInteger("maxWaitingCalls", maxWaitingCalls));
    setMaxWaitingBytes(json.getLong("maxWaitingBytes", maxWaitingBytes));
  }

  /** Returns every option under the name of its property. */
  public JsonObject toJson() {
    return new JsonObject()
        .put("connectTimeoutMillis", connectTimeoutMillis)
        .put("callTimeoutMillis", callTimeoutMillis)
        .put("maxWaitingCalls", maxWaitingCalls)
        .put("maxWaitingBytes", maxWaitingBytes);
  }

  /** Returns a copy. */
  public RedisConnectionOptions copy() {
    return new RedisConnectionOptions(this);
  }

  /** Returns the time to connect and authenticate, in milliseconds. */
  public long getConnectTimeoutMillis() {
    return connectTimeoutMillis;
  }

  /** Sets the time to connect and authenticate, in milliseconds. */
  public RedisConnectionOptions setConnectTimeoutMillis(long millis) {
    connectTimeoutMillis = positive("connectTimeoutMillis", millis);
    return this;
  }

  /** Returns the time for one call, in milliseconds. */
  public long getCallTimeoutMillis() {
    return callTimeoutMillis;
  }

  /** Sets the time for one call, in milliseconds; the wait for a connection counts. */
  public RedisConnectionOptions setCallTimeoutMillis(long millis) {
    callTimeoutMillis = positive("callTimeoutMillis", millis);
    return this;
  }

  /** Returns how many calls one event loop may have outstanding. */
  public int getMaxWaitingCalls() {
    return maxWaitingCalls;
  }

  /** Sets how many calls one event loop may have outstanding; further calls fail at once. */
  public RedisConnectionOptions setMaxWaitingCalls(int calls) {
    maxWaitingCalls = (int) positive("maxWaitingCalls", calls);
    return this;
  }

  /** Returns the total size of the outstanding calls of one event loop, in bytes. */
  public long getMaxWaitingBytes() {
    return maxWaitingBytes;
  }

  /** Sets the total size of the outstanding calls of one event loop; further calls fail at once. */
  public RedisConnectionOptions setMaxWaitingBytes(long bytes) {
    maxWaitingBytes = positive("maxWaitingBytes", bytes);
    return this;
  }

  private static long positive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " is " + value + ", but must be positive");
    }
    return value;
  }
}
