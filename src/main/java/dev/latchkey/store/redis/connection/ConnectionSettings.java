package dev.latchkey.store.redis.connection;

import io.vertx.redis.client.RedisOptions;

/**
 * The configuration of connections.
 *
 * @param redis addresses, TLS and credentials
 * @param options timeouts and bounds
 */
record ConnectionSettings(RedisOptions redis, RedisConnectionOptions options) {

  ConnectionSettings {
    redis = new RedisOptions(redis);
    options = options.copy();
  }

  /** The endpoint of a server, with the scheme, credentials and database of the first one. */
  String endpoint(RedisAddress address) {
    return address.endpointLike(redis.getEndpoints().get(0));
  }

  long callTimeoutMillis() {
    return options.getCallTimeoutMillis();
  }
}
