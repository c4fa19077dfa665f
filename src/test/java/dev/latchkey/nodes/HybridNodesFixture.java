package dev.latchkey.nodes;

import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RedisServer;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Claims in a Redis without persistence, payments in one database. */
final class HybridNodesFixture implements NodesFixture {

  private final PostgresNodesFixture ledger;
  private final RedisNodesFixture claims;

  HybridNodesFixture() {
    ledger = new PostgresNodesFixture();
    claims = new RedisNodesFixture();
  }

  HybridNodesFixture(Database database, RedisServer redis) {
    ledger = new PostgresNodesFixture(database);
    claims = new RedisNodesFixture(redis);
  }

  DatabaseRows rows() {
    return ledger.rows();
  }

  @Override
  public Map<String, String> environment() {
    Map<String, String> all = new HashMap<>(ledger.environment());
    all.putAll(claims.environment());
    all.put("LATCHKEY_LEDGER", "postgres");
    return all;
  }

  @Override
  public OptionalLong events(String key) {
    return ledger.events(key);
  }

  @Override
  public void reset() {
    ledger.reset();
    claims.reset();
  }

  @Override
  public long commands() {
    return ledger.commands() + claims.commands();
  }

  /** One command per server; Postgres is not read for keys that Redis has completed. */
  @Override
  public int commandsPer(String operation) {
    return operation.equals("lookup") ? 1 : 2;
  }

  @Override
  public long notifications() {
    return ledger.notifications() + claims.notifications();
  }

  @Override
  public long resubscriptions() {
    return claims.resubscriptions();
  }

  @Override
  public void close() {
    claims.close();
    ledger.close();
  }
}
