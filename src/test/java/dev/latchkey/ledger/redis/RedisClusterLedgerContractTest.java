package dev.latchkey.ledger.redis;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.LedgerContractTest;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.LedgerFixture;
import dev.latchkey.ledger.LedgerFixtures;
import dev.latchkey.ledger.Payment;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisCluster;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

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

  @Test
  void oneAddressIsEnoughForTenantsOnBothNodes() {
    try (LedgerFixture single = new RedisLedgerFixture(vertx, server.nodes().subList(0, 1))) {
      for (int i = 0; i < 8; i++) {
        Payment payment = LedgerFixtures.payment("tenant " + i, "pay_one_" + i, 10, 10);
        assertThat(single.apply(List.of(new InsertPayment(payment)))).isEmpty();
        assertThat(await(single.ledger().findPaymentByCharge("ch_pay_one_" + i))).contains(payment);
      }
    }
  }
}
