package dev.latchkey.store.redis;

import dev.latchkey.store.StoreContractTest;
import dev.latchkey.store.StoreFixture;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * The same scripts by a clock that stands still, an hour ahead of the server's so that no time to
 * live fires: what is expired is told by the scripts alone, on the millisecond.
 */
class RedisBoundariesContractTest extends StoreContractTest {

  private static final String CLOCK = "local now = tonumber(redis.call('GET', 'test:now'))\n";

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
    RedisFixture fixture =
        new RedisFixture(vertx, List.of(server), CLOCK) {
          @Override
          public void advanceMillis(long millis) {
            server.command("INCRBY", "test:now", Long.toString(millis));
          }

          @Override
          public boolean hasExactClock() {
            return true;
          }
        };
    long ahead = System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1);
    server.command("SET", "test:now", Long.toString(ahead));
    return fixture;
  }
}
