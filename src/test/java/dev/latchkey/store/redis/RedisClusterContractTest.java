package dev.latchkey.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreContractTest;
import dev.latchkey.store.StoreFixture;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisCluster;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The same cases with the slots spread over two nodes, with a clock that the test holds. */
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
    return RedisFixture.byHeldClock(vertx, cluster);
  }

  @Test
  void tenantsOnBothNodesAreRenewedTogether() {
    List<Attempt> attempts =
        IntStream.range(0, 32).mapToObj(i -> Attempt.ofTenant("tenant " + i)).toList();
    attempts.forEach(attempt -> store().claimed(attempt));

    assertThat(cluster.nodes()).noneMatch(node -> node.command("DBSIZE").equals(0L));
    assertThat(store().renew(attempts.toArray(Attempt[]::new))).isEmpty();
    attempts.forEach(attempt -> store().completed(attempt));
    assertThat(attempts)
        .allSatisfy(
            attempt ->
                assertThat(store().claim(attempt.retried()))
                    .isInstanceOf(ClaimResult.Completed.class));
  }
}
