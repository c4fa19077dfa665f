/** The store on Redis, over real servers. */
package dev.latchkey.store.redis.connection;
