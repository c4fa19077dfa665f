package dev.latchkey.store.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreContractTest;
import dev.latchkey.store.StoreFixture;
import dev.latchkey.store.redis.RedisFixture;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisCluster;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Claims in a cluster of two Redis, the slots spread over both; all clocks are held by the test.
 */
class HybridOverClusterContractTest extends StoreContractTest {

  private static RedisCluster cluster;
  private static HybridOverRedisFixture.Ledger ledger;

  @BeforeAll
  static void start() {
    cluster = RealServers.startRedisCluster(RedisFixture.DURABLE);
    ledger = new HybridOverRedisFixture.Ledger();
    ledger.holdClock();
  }

  @AfterAll
  static void stop() {
    ledger.close();
    cluster.close();
  }

  @Override
  protected StoreFixture open() {
    return new HybridOverRedisFixture(ledger, RedisFixture.byHeldClock(ledger.vertx(), cluster));
  }

  @Test
  void tenantsOnBothNodesKeepTheirResponsesWhenTheClusterForgets() {
    List<Attempt> attempts =
        IntStream.range(0, 32).mapToObj(i -> Attempt.ofTenant("tenant " + i)).toList();
    attempts.forEach(attempt -> store().claimed(attempt));
    assertThat(cluster.nodes()).noneMatch(node -> node.command("DBSIZE").equals(0L));
    assertThat(store().renew(attempts.toArray(Attempt[]::new))).isEmpty();
    attempts.forEach(attempt -> store().completed(attempt));

    cluster.nodes().forEach(node -> node.command("FLUSHALL"));

    assertThat(attempts)
        .allSatisfy(
            attempt ->
                assertThat(store().claim(attempt.retried()))
                    .isInstanceOf(ClaimResult.Completed.class));
  }
}
