package dev.latchkey.ledger.redis;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.LedgerContractTest;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.LedgerFixture;
import dev.latchkey.ledger.LedgerFixtures;
import dev.latchkey.ledger.Payment;
import dev.latchkey.store.redis.RedisKeys;
import dev.latchkey.store.redis.connection.Slots;
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

  @Test
  void firstPaymentOfATenantIsStoredWhileItsSlotIsMoved() {
    String tenant = "moving tenant";
    int slot = Slots.of(RedisKeys.records(tenant, "key"));
    RedisServer source = server.nodes().get(slot * 2 / Slots.COUNT);
    RedisServer target = server.nodes().get(1 - slot * 2 / Slots.COUNT);
    try (LedgerFixture fixture = new RedisLedgerFixture(vertx, server.nodes())) {
      setSlot(target, slot, "IMPORTING", (String) source.command("CLUSTER", "MYID"));
      setSlot(source, slot, "MIGRATING", (String) target.command("CLUSTER", "MYID"));
      Payment payment = LedgerFixtures.payment(tenant, "pay_moving", 10, 10);

      assertThat(fixture.apply(List.of(new InsertPayment(payment)))).isEmpty();

      assertThat(await(fixture.ledger().findPaymentByCharge("ch_pay_moving"))).contains(payment);
    } finally {
      setSlot(target, slot, "STABLE");
      setSlot(source, slot, "STABLE");
    }
  }

  private static void setSlot(RedisServer server, int slot, String... state) {
    List<String> words = new ArrayList<>(List.of("CLUSTER", "SETSLOT", Integer.toString(slot)));
    words.addAll(List.of(state));
    server.command(words.toArray(String[]::new));
  }
}
