package dev.latchkey.store.redis;

import dev.latchkey.store.StoreContractTest;
import dev.latchkey.store.StoreFixture;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** With a clock that the test holds. */
class RedisBoundariesContractTest extends StoreContractTest {

  private static RedisServer server;
  private static Vertx vertx;

  @BeforeAll
  static void start() {
    server = RealServers.startRedis(RedisFixture.DURABLE);
    vertx = TestVertx.create();
  }

  @AfterAll
  static void stop() {
    vertx.close().await();
    server.close();
  }

  @Override
  protected StoreFixture open() {
    return new HeldClockFixture(vertx, List.of(server), () -> {});
  }
}
