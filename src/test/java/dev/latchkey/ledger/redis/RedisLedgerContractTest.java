package dev.latchkey.ledger.redis;

import dev.latchkey.ledger.LedgerContractTest;
import dev.latchkey.ledger.LedgerFixture;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class RedisLedgerContractTest extends LedgerContractTest {

  private static RedisServer server;
  private static Vertx vertx;

  @BeforeAll
  static void start() {
    server = RealServers.startRedis();
    vertx = TestVertx.create();
  }

  @AfterAll
  static void stop() {
    vertx.close().await();
    server.close();
  }

  @Override
  protected LedgerFixture open() {
    return new RedisLedgerFixture(vertx, List.of(server));
  }
}
