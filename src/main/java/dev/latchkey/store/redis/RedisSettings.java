package dev.latchkey.store.redis;

import io.vertx.redis.client.RedisOptions;

/**
 * Where Redis is and how long it is waited for.
 *
 * @param options addresses, TLS and credentials for the driver: one endpoint is a server, several
 *     are nodes of a cluster. Everything about pools is ignored
 * @param connectTimeoutMillis for one connection, greeting included; positive
 * @param callTimeoutMillis for one call, the wait for a connection included; positive
 * @param maxWaitingCalls calls that one event loop has under way at most; more fail at once
 * @param maxWaitingBytes bytes that these calls send together at most; more fail at once
 */
public record RedisSettings(
    RedisOptions options,
    long connectTimeoutMillis,
    long callTimeoutMillis,
    int maxWaitingCalls,
    long maxWaitingBytes) {

  /** Time for a connection unless told otherwise, in milliseconds. */
  public static final long CONNECT_TIMEOUT_MILLIS = 2_000;

  /** Time for a call unless told otherwise, in milliseconds. */
  public static final long CALL_TIMEOUT_MILLIS = 4_000;

  /** Calls of one event loop under way unless told otherwise. */
  public static final int MAX_WAITING_CALLS = 8_192;

  /** Bytes of these calls unless told otherwise. */
  public static final long MAX_WAITING_BYTES = 64L << 20;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException when one is not positive
   */
  public RedisSettings {
    if (connectTimeoutMillis <= 0
        || callTimeoutMillis <= 0
        || maxWaitingCalls <= 0
        || maxWaitingBytes <= 0) {
      throw new IllegalArgumentException(
          "not positive: one of connect timeout "
              + connectTimeoutMillis
              + " ms, call timeout "
              + callTimeoutMillis
              + " ms, "
              + maxWaitingCalls
              + " calls, "
              + maxWaitingBytes
              + " bytes");
    }
    options = new RedisOptions(options);
  }

  /**
   * The defaults for some addresses.
   *
   * @param options addresses, TLS and credentials
   * @return the settings
   */
  public static RedisSettings of(RedisOptions options) {
    return new RedisSettings(
        options, CONNECT_TIMEOUT_MILLIS, CALL_TIMEOUT_MILLIS, MAX_WAITING_CALLS, MAX_WAITING_BYTES);
  }
}
