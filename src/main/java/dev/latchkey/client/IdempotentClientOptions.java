package dev.latchkey.client;

import io.vertx.core.json.JsonObject;

/**
 * Limits and retries of an {@link IdempotentClient}. Mutable and not thread-safe; a client reads
 * them once. Every setter throws IllegalArgumentException for a value that is not allowed.
 */
public final class IdempotentClientOptions {

  /** Default of {@link #setDeadlineMillis}: a minute. */
  public static final long DEFAULT_DEADLINE_MILLIS = 60_000;

  /** Default of {@link #setSendTimeoutMillis}: 30 s. */
  public static final long DEFAULT_SEND_TIMEOUT_MILLIS = 30_000;

  /** Default of {@link #setConnectTimeoutMillis}: 2 s. */
  public static final int DEFAULT_CONNECT_TIMEOUT_MILLIS = 2_000;

  /** Default of {@link #setFirstDelayMillis}: 100 ms. */
  public static final long DEFAULT_FIRST_DELAY_MILLIS = 100;

  /** Default of {@link #setMaxDelayMillis}: 10 s. */
  public static final long DEFAULT_MAX_DELAY_MILLIS = 10_000;

  /** Default of {@link #setBudgetTokens}: 100. */
  public static final int DEFAULT_BUDGET_TOKENS = 100;

  /** Default of {@link #setBudgetTokensPerSuccess}: 0.1. */
  public static final double DEFAULT_BUDGET_TOKENS_PER_SUCCESS = 0.1;

  /** Default of {@link #setKeyLifetimeMillis}: 24 h. */
  public static final long DEFAULT_KEY_LIFETIME_MILLIS = 86_400_000;

  /** Default of {@link #setMaxResponseBytes}: 1 MiB. */
  public static final int DEFAULT_MAX_RESPONSE_BYTES = 1 << 20;

  /** Default of {@link #setMaxConnections}: 64 per node. */
  public static final int DEFAULT_MAX_CONNECTIONS = 64;

  private long deadlineMillis = DEFAULT_DEADLINE_MILLIS;
  private long sendTimeoutMillis = DEFAULT_SEND_TIMEOUT_MILLIS;
  private int connectTimeoutMillis = DEFAULT_CONNECT_TIMEOUT_MILLIS;
  private long firstDelayMillis = DEFAULT_FIRST_DELAY_MILLIS;
  private long maxDelayMillis = DEFAULT_MAX_DELAY_MILLIS;
  private int budgetTokens = DEFAULT_BUDGET_TOKENS;
  private double budgetTokensPerSuccess = DEFAULT_BUDGET_TOKENS_PER_SUCCESS;
  private long keyLifetimeMillis = DEFAULT_KEY_LIFETIME_MILLIS;
  private int maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES;
  private int maxConnections = DEFAULT_MAX_CONNECTIONS;
  private boolean hedging;

  /** Creates options with the defaults. */
  public IdempotentClientOptions() {}

  /** Copies options. */
  public IdempotentClientOptions(IdempotentClientOptions other) {
    this(other.toJson());
  }

  /**
   * Reads options; an absent member keeps its default.
   *
   * @param json has the members that {@link #toJson} writes; others are ignored
   * @throws IllegalArgumentException if a value is not allowed
   * @throws ClassCastException if a value has another type
   */
  public IdempotentClientOptions(JsonObject json) {
    setDeadlineMillis(json.getLong("deadlineMillis", deadlineMillis));
    setSendTimeoutMillis(json.getLong("sendTimeoutMillis", sendTimeoutMillis));
    setConnectTimeoutMillis(json.getInteger("connectTimeoutMillis", connectTimeoutMillis));
    setFirstDelayMillis(json.getLong("firstDelayMillis", firstDelayMillis));
    setMaxDelayMillis(json.getLong("maxDelayMillis", maxDelayMillis));
    setBudgetTokens(json.getInteger("budgetTokens", budgetTokens));
    setBudgetTokensPerSuccess(json.getDouble("budgetTokensPerSuccess", budgetTokensPerSuccess));
    setKeyLifetimeMillis(json.getLong("keyLifetimeMillis", keyLifetimeMillis));
    setMaxResponseBytes(json.getInteger("maxResponseBytes", maxResponseBytes));
    setMaxConnections(json.getInteger("maxConnections", maxConnections));
    setHedging(json.getBoolean("hedging", hedging));
  }

  /** Returns every option under the name of its property. */
  public JsonObject toJson() {
    return new JsonObject()
        .put("deadlineMillis", deadlineMillis)
        .put("sendTimeoutMillis", sendTimeoutMillis)
        .put("connectTimeoutMillis", connectTimeoutMillis)
        .put("firstDelayMillis", firstDelayMillis)
        .put("maxDelayMillis", maxDelayMillis)
        .put("budgetTokens", budgetTokens)
        .put("budgetTokensPerSuccess", budgetTokensPerSuccess)
        .put("keyLifetimeMillis", keyLifetimeMillis)
        .put("maxResponseBytes", maxResponseBytes)
        .put("maxConnections", maxConnections)
        .put("hedging", hedging);
  }

  /** Returns the time for a request with all its retries, in milliseconds. */
  public long getDeadlineMillis() {
    return deadlineMillis;
  }

  /** Sets the time for a request with all its retries, in milliseconds. */
  public IdempotentClientOptions setDeadlineMillis(long millis) {
    deadlineMillis = positive("deadlineMillis", millis);
    return this;
  }

  /** Returns the time for one send, in milliseconds. */
  public long getSendTimeoutMillis() {
    return sendTimeoutMillis;
  }

  /**
   * Sets the time for one send, in milliseconds. A node without a response by then is abandoned.
   * {@code Prefer: wait} is a second shorter.
   */
  public IdempotentClientOptions setSendTimeoutMillis(long millis) {
    sendTimeoutMillis = positive("sendTimeoutMillis", millis);
    return this;
  }

  /** Returns the time to connect, in milliseconds. */
  public int getConnectTimeoutMillis() {
    return connectTimeoutMillis;
  }

  /** Sets the time to connect, in milliseconds. */
  public IdempotentClientOptions setConnectTimeoutMillis(int millis) {
    connectTimeoutMillis = (int) positive("connectTimeoutMillis", millis);
    return this;
  }

  /** Returns the longest delay before the first retry, in milliseconds. */
  public long getFirstDelayMillis() {
    return firstDelayMillis;
  }

  /** Sets the longest delay before the first retry, in milliseconds. It doubles with each retry. */
  public IdempotentClientOptions setFirstDelayMillis(long millis) {
    firstDelayMillis = positive("firstDelayMillis", millis);
    return this;
  }

  /** Returns the longest delay before any retry, in milliseconds. */
  public long getMaxDelayMillis() {
    return Math.max(firstDelayMillis, maxDelayMillis);
  }

  /**
   * Sets the longest delay before any retry, in milliseconds; {@code Retry-After} may exceed it.
   */
  public IdempotentClientOptions setMaxDelayMillis(long millis) {
    maxDelayMillis = positive("maxDelayMillis", millis);
    return this;
  }

  /** Returns the size of the retry budget, in tokens. */
  public int getBudgetTokens() {
    return budgetTokens;
  }

  /**
   * Sets the size of the retry budget. A failure costs a token; no request is retried while half of
   * the tokens are gone.
   */
  public IdempotentClientOptions setBudgetTokens(int tokens) {
    budgetTokens = (int) positive("budgetTokens", tokens);
    return this;
  }

  /** Returns the tokens that a success returns to the budget. */
  public double getBudgetTokensPerSuccess() {
    return budgetTokensPerSuccess;
  }

  /** Sets the tokens that a success returns: in the long run, the share of retries. */
  public IdempotentClientOptions setBudgetTokensPerSuccess(double tokens) {
    if (!(tokens > 0 && tokens <= 1)) {
      throw new IllegalArgumentException(
          "budgetTokensPerSuccess must be above 0 and at most 1, not " + tokens);
    }
    budgetTokensPerSuccess = tokens;
    return this;
  }

  /** Returns how long a key is known to the service, in milliseconds. */
  public long getKeyLifetimeMillis() {
    return keyLifetimeMillis;
  }

  /**
   * Sets how long the service keeps a key after its first use, in milliseconds. No retry starts
   * later. A shorter time in {@code Idempotency-Expires} takes precedence.
   */
  public IdempotentClientOptions setKeyLifetimeMillis(long millis) {
    keyLifetimeMillis = positive("keyLifetimeMillis", millis);
    return this;
  }

  /** Returns the maximum size of a response body, in bytes. */
  public int getMaxResponseBytes() {
    return maxResponseBytes;
  }

  /** Sets the maximum size of a response body, in bytes. A larger response counts as lost. */
  public IdempotentClientOptions setMaxResponseBytes(int bytes) {
    maxResponseBytes = (int) positive("maxResponseBytes", bytes);
    return this;
  }

  /** Returns the most connections to one node. */
  public int getMaxConnections() {
    return maxConnections;
  }

  /** Sets the most connections to one node. */
  public IdempotentClientOptions setMaxConnections(int connections) {
    maxConnections = (int) positive("maxConnections", connections);
    return this;
  }

  /** Returns whether slow requests are hedged. */
  public boolean isHedging() {
    return hedging;
  }

  /**
   * Sets whether a request without a response after the 95th percentile of latency is sent a second
   * time, to the next node. That is safe, since the service parks the copy. Off by default.
   */
  public IdempotentClientOptions setHedging(boolean hedging) {
    this.hedging = hedging;
    return this;
  }

  private static long positive(String name, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be positive, not " + value);
    }
    return value;
  }
}
