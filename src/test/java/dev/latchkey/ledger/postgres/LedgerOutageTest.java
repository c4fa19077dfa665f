package dev.latchkey.ledger.postgres;

import static dev.latchkey.ledger.LedgerFixtures.payment;
import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.ledger.CustomerPut;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.LedgerFixtures;
import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentAmendment;
import dev.latchkey.ledger.Precondition;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.postgres.PostgresStatements;
import dev.latchkey.store.postgres.PostgresStoreOptions;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A database that refuses, is silent, or comes back. */
class LedgerOutageTest {

  private static final int CONNECTIONS = 3;

  private static PostgresServer server;
  private static Database database;
  private static Vertx vertx;
  private static Pool pool;
  private static PostgresLedger ledger;

  @BeforeAll
  static void start() {
    server = RealServers.startPostgres();
    database = LedgerDatabase.migrated(server.freshDatabase());
    vertx = TestVertx.create();
    pool = RawPool.create(vertx, database.connectOptions(), CONNECTIONS);
    ledger = PostgresLedger.create(vertx, database.connectOptions());
    await(
        EffectStatement.of(List.of(new InsertPayment(payment("acme", "pay_1", 10, 10)))).run(pool));
  }

  @AfterAll
  static void stop() {
    await(pool.close());
    await(vertx.close());
    server.close();
  }

  @Test
  void silentServerFailsAllCallsInTimeAndRecovers() {
    await(ledger.probe());
    server.pause();
    try {
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 2 * CONNECTIONS; i++) {
        calls.add(ledger.findPayment("acme", "pay_1"));
      }
      calls.add(ledger.listPayments(LedgerFixtures.all("acme", 1)));
      calls.add(ledger.balance("acme"));
      calls.add(ledger.probe());

      calls.forEach(call -> assertThat(failure(call).outcome()).isEqualTo(Outcome.NOT_DONE));
      assertThat(failure(ledger.probe()).outcome())
          .as("by connections that log in and get no answer")
          .isEqualTo(Outcome.NOT_DONE);
    } finally {
      server.resume();
    }
    assertServes();
  }

  @Test
  void writeWithoutResponseIsUnknownAndUnsentWriteIsNotDone() {
    assertServes();
    server.pause();
    try {
      List<Future<?>> writes = new ArrayList<>();
      for (int i = 0; i < 3 * CONNECTIONS; i++) {
        writes.add(ledger.putCustomer(put("c" + i)));
      }
      List<Outcome> outcomes = writes.stream().map(it -> failure(it).outcome()).toList();

      assertThat(outcomes).contains(Outcome.UNKNOWN);
      assertThat(failure(ledger.putCustomer(put("late"))).outcome()).isEqualTo(Outcome.NOT_DONE);
    } finally {
      server.resume();
    }
    assertServes();
  }

  @Test
  void silentlyLostConnectionsAreReplaced() {
    DeafProxy proxy = await(DeafProxy.start(vertx, database.connectOptions()));
    try {
      PostgresStoreOptions limits = PostgresLedger.options().setCallTimeoutMillis(8_000);
      PostgresLedger beyond =
          new PostgresLedger(PostgresStatements.create(vertx, proxy.connectOptions(), limits));
      StoreCalls.eventually(() -> warmed(beyond));
      proxy.forget();

      List<Future<Optional<Payment>>> reads = new ArrayList<>();
      for (int i = 0; i < 4 * CONNECTIONS; i++) {
        reads.add(beyond.findPayment("acme", "pay_1"));
      }
      reads.forEach(read -> assertThat(await(read)).isPresent());
      await(beyond.putCustomer(put("found")));
      assertThat(await(beyond.findCustomer("acme", "found"))).isPresent();
    } finally {
      await(proxy.close());
    }
  }

  @Test
  void absentServerFailsCallsAtOnceAndRecovers() {
    assertServes();
    server.kill9();

    assertThat(failure(ledger.probe()).outcome()).isEqualTo(Outcome.NOT_DONE);
    assertThat(failure(ledger.probe()).outcome()).isEqualTo(Outcome.NOT_DONE);
    assertThat(failure(ledger.putCustomer(put("gone"))).outcome())
        .as("nothing was connected that it could have left by")
        .isEqualTo(Outcome.NOT_DONE);

    server.restart();
    assertServes();
    assertThat(await(ledger.findPayment("acme", "pay_1"))).isPresent();
    assertThat(await(ledger.findCustomer("acme", "gone"))).isEmpty();
  }

  @Test
  void waitForALockedRowIsLimited() throws Exception {
    try (var other = database.jdbc()) {
      other.setAutoCommit(false);
      other
          .createStatement()
          .executeQuery("SELECT FROM ledger_payments WHERE id = 'pay_1' FOR UPDATE");

      StoreException failure =
          failure(
              ledger.amendPayment(
                  new PaymentAmendment(
                      "acme", "pay_1", 1, Optional.of("x"), Metadata.NONE, 5_000)));

      assertThat(failure.outcome()).isEqualTo(Outcome.NOT_DONE);
      assertThat(failure).hasMessageContaining("amend-payment").hasMessageContaining("55P03");
      other.rollback();
    }
    assertThat(await(ledger.findPayment("acme", "pay_1")).orElseThrow().version()).isEqualTo(1);
  }

  /** Serves again by itself, every call of many, and writes too. */
  private static void assertServes() {
    Await.until("every call succeeds", LedgerOutageTest::allSucceed, 30_000);
  }

  private static boolean allSucceed() {
    for (int i = 0; i < 4 * CONNECTIONS; i++) {
      if (!succeeds(ledger.findPayment("acme", "pay_1"))
          || !succeeds(ledger.putCustomer(put("serves")))) {
        return false;
      }
    }
    return true;
  }

  private static boolean succeeds(Future<?> call) {
    return await(call.transform(it -> Future.succeededFuture(it.succeeded())));
  }

  private static Future<Void> warmed(PostgresLedger ledger) {
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < 4 * CONNECTIONS; i++) {
      calls.add(ledger.probe());
      calls.add(ledger.putCustomer(put("warm" + i)));
    }
    return Future.all(calls).mapEmpty();
  }

  private static CustomerPut put(String id) {
    return new CustomerPut(
        "acme", id, Optional.of("x"), Optional.empty(), Precondition.NONE, 1_000);
  }

  private static StoreException failure(Future<?> call) {
    try {
      Object answer = call.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
      throw new AssertionError("answered " + answer);
    } catch (ExecutionException failed) {
      assertThat(failed.getCause()).isInstanceOf(StoreException.class);
      return (StoreException) failed.getCause();
    } catch (Exception e) {
      throw new AssertionError("no answer", e);
    }
  }
}
