package dev.latchkey.nodes;

import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RedisServer;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Claims in a Redis that keeps nothing, payments in one database. */
final class HybridFixture implements NodesFixture {

  private final PostgresFixture ledger;
  private final RedisFixture claims;

  HybridFixture() {
    ledger = new PostgresFixture();
    claims = new RedisFixture();
  }

  HybridFixture(Database database, RedisServer redis) {
    ledger = new PostgresFixture(database);
    claims = new RedisFixture(redis);
  }

  KeyRows rows() {
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
  public void forget() {
    ledger.forget();
    claims.forget();
  }

  @Override
  public long commands() {
    return ledger.commands() + claims.commands();
  }

  /** Each server is asked once, and about what Redis knows to be completed Postgres is not. */
  @Override
  public int commandsPer(String operation) {
    return operation.equals("lookup") ? 1 : 2;
  }

  @Override
  public long notices() {
    return ledger.notices() + claims.notices();
  }

  @Override
  public long listenedAnew() {
    return claims.listenedAnew();
  }

  @Override
  public void close() {
    claims.close();
    ledger.close();
  }
}
