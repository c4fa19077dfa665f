/** Connections to Redis, over real servers. */
package dev.latchkey.store.redis.connection;
