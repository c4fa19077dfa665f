/** The ledger in Redis, over real servers. */
package dev.latchkey.ledger.redis;
