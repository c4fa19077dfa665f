package dev.latchkey.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.idempotency.spi.ClaimResult;
import dev.latchkey.idempotency.spi.ScopedKey;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreContractTest;
import dev.latchkey.store.StoreFixture;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisCluster;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The same cases with the slots spread over two nodes. */
class RedisClusterContractTest extends StoreContractTest {

  private static RedisCluster cluster;
  private static Vertx vertx;

  @BeforeAll
  static void start() {
    cluster = RealServers.startRedisCluster(RedisFixture.DURABLE);
    vertx = TestVertx.create();
  }

  @AfterAll
  static void stop() {
    vertx.close().await();
    cluster.close();
  }

  @Override
  protected StoreFixture open() {
    return new RedisFixture(vertx, cluster.nodes(), Scripts.serverClock()) {
      @Override
      void awaitServers() {
        cluster.awaitOk();
      }
    };
  }

  @Test
  void tenantsLiveOnBothNodesAndAreRenewedTogether() {
    List<Attempt> attempts = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      attempts.add(Attempt.at(new ScopedKey("tenant " + i, "POST /v1/things", "key")));
    }
    attempts.forEach(attempt -> store().claimed(attempt));

    assertThat(cluster.nodes()).extracting(RedisClusterContractTest::keys).doesNotContain(0L);
    assertThat(store().renew(attempts.toArray(Attempt[]::new))).isEmpty();
    attempts.forEach(attempt -> store().completed(attempt));
    assertThat(attempts)
        .allSatisfy(
            attempt ->
                assertThat(store().claim(attempt.retried()))
                    .isInstanceOf(ClaimResult.Completed.class));
  }

  private static long keys(RedisServer node) {
    return (Long) node.command("DBSIZE");
  }
}
