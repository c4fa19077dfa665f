package dev.latchkey.store.redis.connection;

/** Told about servers that may have lost the interest of waiters. Called on any thread. */
interface InterestListener {

  /** A master became a replica. */
  void demoted(RedisAddress server);

  /** A server was away, or another has its slots. */
  void interestLost(RedisAddress server);
}
