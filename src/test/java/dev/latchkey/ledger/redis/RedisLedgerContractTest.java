package dev.latchkey.ledger.redis;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.LedgerContractTest;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.LedgerFixture;
import dev.latchkey.ledger.LedgerFixtures;
import dev.latchkey.ledger.Payment;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.RealServers;
import dev.latchkey.testing.servers.RedisServer;
import io.vertx.core.Vertx;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

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

  @Test
  void sumsBeyondTheExactRangeOfLuaStayExact() {
    long amount = 999_999_999_999_999L;
    int payments = 20;
    try (LedgerFixture books = open()) {
      for (int i = 0; i < payments; i++) {
        Payment payment = LedgerFixtures.payment("large", "pay_" + i, amount, amount);
        assertThat(books.apply(List.of(new InsertPayment(payment)))).isEmpty();
        assertThat(books.apply(List.of(LedgerFixtures.refund(payment, "re_" + i, amount - 1))))
            .isEmpty();
      }

      assertThat(await(books.ledger().balance("large")))
          .containsExactly(
              new Balance("EUR", payments * amount, payments * (amount - 1), payments));
    }
  }
}
