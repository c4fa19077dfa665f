package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.ClaimResult.InFlight;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.Completed;
import dev.latchkey.core.spi.CompleteResult.LostLease;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call that fails or waits in the server does not affect the calls next to it. */
class FailedBatchTest {

  private static final int MANY = 8;

  private PostgresNodes nodes;
  private PostgresStore store;

  @BeforeEach
  void open() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    store = nodes.open();
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  private List<Attempt> claimed(int count) {
    List<Attempt> attempts = IntStream.range(0, count).mapToObj(i -> Attempt.atNewKey()).toList();
    attempts.forEach(new StoreCalls(store)::claimed);
    return attempts;
  }

  private Supplier<Future<CompleteResult>> completion(
      PostgresStore by, Attempt attempt, String counter) {
    return () ->
        by.complete(attempt.claim(), StoreCalls.CREATED, List.of(nodes.effects.counts(counter)));
  }

  private List<Supplier<Future<CompleteResult>>> completions(
      PostgresStore by, List<Attempt> attempts, String counter) {
    return IntStream.range(0, attempts.size())
        .mapToObj(i -> completion(by, attempts.get(i), counter + " " + i))
        .toList();
  }

  private static void assertNotDone(Future<?> call) {
    assertThatThrownBy(() -> await(call))
        .isInstanceOfSatisfying(
            StoreException.class,
            it -> assertThat(it.outcome()).isEqualTo(StoreException.Outcome.NOT_DONE));
  }

  @ParameterizedTest
  @ValueSource(strings = {"P0001", "42P01", "54000", "XX001"})
  void errorOfOneEffectFailsOnlyItsCompletion(String sqlState) {
    nodes.database.value(
        """
        CREATE FUNCTION test_fail() RETURNS trigger LANGUAGE plpgsql
          AS $$ BEGIN RAISE EXCEPTION USING ERRCODE = '%s'; END $$;
        CREATE TRIGGER test_failing BEFORE INSERT ON test_counter FOR EACH ROW
          WHEN (NEW.name = 'row 3') EXECUTE FUNCTION test_fail();
        """
            .formatted(sqlState));

    List<Future<CompleteResult>> running =
        await(nodes.started(completions(store, claimed(MANY), "row")));

    assertNotDone(running.get(3));
    for (int i = 0; i < MANY; i++) {
      if (i != 3) {
        assertThat(await(running.get(i))).isInstanceOf(Completed.class);
        assertThat(nodes.effects.counted("row " + i)).isEqualTo(1);
      }
    }
  }

  @Test
  void recordOfANewerVersionFailsOnlyItsCompletion() {
    List<Attempt> attempts = claimed(3);
    new StoreCalls(store).released(attempts.get(0));
    nodes.database.value(
        "UPDATE latchkey_key SET phase = 7 WHERE key = '" + attempts.get(1).key().key() + "'");

    List<Future<CompleteResult>> running =
        await(nodes.started(completions(store, attempts, "newer")));

    assertThat(await(running.get(0))).isInstanceOf(LostLease.class);
    assertNotDone(running.get(1));
    assertThat(await(running.get(2))).isInstanceOf(Completed.class);
  }

  /** The completions of the locked row would wait for longer in turn than a call may wait. */
  @Test
  void lockedBusinessRowFailsNoOtherCompletion() throws SQLException {
    PostgresStore hasty =
        nodes.open(
            new PostgresStoreOptions().setCallTimeoutMillis(20_000).setLockTimeoutMillis(1_000));
    nodes.database.value("INSERT INTO test_counter VALUES ('locked', 0)");
    List<Attempt> locked = claimed(MANY);
    List<Attempt> free = claimed(MANY);
    try (Connection elsewhere = nodes.database.jdbc()) {
      elsewhere.setAutoCommit(false);
      elsewhere.createStatement().execute("UPDATE test_counter SET n = n WHERE name = 'locked'");
      List<Supplier<Future<CompleteResult>>> calls = new ArrayList<>();
      locked.forEach(it -> calls.add(completion(hasty, it, "locked")));
      await(nodes.started(calls));
      String waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted";
      Await.until("a statement waits", () -> !nodes.database.value(waiting).equals("0"));

      assertThat(nodes.atOnce(completions(hasty, free, "free")))
          .allSatisfy(it -> assertThat(it).isInstanceOf(Completed.class));
      elsewhere.rollback();
    }
  }

  @Test
  void takeoverOfALockedRowIsRepeatedTwiceASecondAtMost() throws SQLException {
    Attempt lapsed = Attempt.atNewKey().withLease(1);
    new StoreCalls(store).claimed(lapsed);
    try (Connection elsewhere = nodes.database.jdbc()) {
      elsewhere.setAutoCommit(false);
      elsewhere
          .createStatement()
          .execute(
              "UPDATE latchkey_key SET attempt = attempt WHERE key = '" + lapsed.key().key() + "'");
      long startNanos = System.nanoTime();

      assertThat(new StoreCalls(store).claim(lapsed.retried().withMode(Mode.TAKEOVER)))
          .isInstanceOf(InFlight.class);

      assertThat(System.nanoTime() - startNanos).isGreaterThanOrEqualTo(500_000_000L);
      elsewhere.rollback();
    }
  }
}
