package dev.latchkey.ledger.redis;

import dev.latchkey.ledger.LedgerContractTest;
import dev.latchkey.ledger.LedgerFixture;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisCluster;
import io.vertx.core.Vertx;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The same cases with tenants on two nodes. */
class RedisClusterLedgerContractTest extends LedgerContractTest {

  private static RedisCluster server;
  private static Vertx vertx;

  @BeforeAll
  static void start() {
    server = RealServers.startRedisCluster();
    vertx = TestVertx.create();
  }

  @AfterAll
  static void stop() {
    vertx.close().await();
    server.close();
  }

  @Override
  protected LedgerFixture open() {
    return new RedisLedgerFixture(vertx, server.nodes());
  }
}
