package dev.latchkey.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.Completed;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Two statements of a kind under way at a time, with a locked row or a lost connection between. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class ParallelStatementsTest {

  private static final int MANY = 2 * Batcher.WORTH_ANOTHER;

  /** As many as a second statement takes along whenever its connection is there; none is left. */
  private static final int ENOUGH = Batcher.WORTH_ANOTHER;

  private static final String WAITING =
      " FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

  private PostgresNodes nodes;
  private PostgresStore store;
  private Connection elsewhere;

  @BeforeEach
  void open() throws SQLException {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    // No shortcut, so that all calls meet in one lane; and no row is given up.
    PostgresStoreOptions options =
        new PostgresStoreOptions(
            200_000, 60_000, 256, 1 << 20, 10_000, 1, 2, 0, 8, "parallel statements");
    store = nodes.open(options);
    nodes.database.value("INSERT INTO test_counter VALUES ('first', 0), ('second', 0)");
    elsewhere = nodes.database.jdbc();
    elsewhere.setAutoCommit(false);
  }

  @AfterEach
  void close() throws SQLException {
    elsewhere.close();
    nodes.close();
  }

  private void lock(String counter) throws SQLException {
    elsewhere
        .createStatement()
        .execute("UPDATE test_counter SET n = n WHERE name = '" + counter + "'");
  }

  private void awaitWaiting(int statements) {
    while (!nodes.database.value("SELECT count(*)" + WAITING).equals("" + statements)) {
      Thread.onSpinWait();
    }
  }

  private List<Attempt> claimed(int count) {
    List<Attempt> attempts = IntStream.range(0, count).mapToObj(i -> Attempt.atNewKey()).toList();
    List<Supplier<Future<ClaimResult>>> claims = new ArrayList<>();
    attempts.forEach(it -> claims.add(() -> store.claim(it.request())));
    assertThat(nodes.atOnce(claims)).allSatisfy(it -> assertThat(it).isInstanceOf(Claimed.class));
    return attempts;
  }

  private Supplier<Future<CompleteResult>> completion(Attempt attempt, Effect effect) {
    return () -> store.complete(attempt.claim(), StoreCalls.CREATED, List.of(effect));
  }

  /** A completion that waits for a locked row, with a statement to itself. */
  private Future<CompleteResult> held(Attempt attempt) throws SQLException {
    lock("first");
    Future<CompleteResult> held = completion(attempt, nodes.effects.counts("first")).get();
    awaitWaiting(1);
    return held;
  }

  @Test
  void manyBehindAStatementThatWaitsDoNotWaitForItAndThePoisonedOfThemFailAlone()
      throws SQLException {
    List<Attempt> attempts = claimed(ENOUGH + 1);
    Future<CompleteResult> first = held(attempts.get(ENOUGH));
    nodes.database.value("INSERT INTO test_mark VALUES ('taken')");
    List<Supplier<Future<CompleteResult>>> calls = new ArrayList<>();
    for (int i = 0; i < ENOUGH; i++) {
      calls.add(completion(attempts.get(i), nodes.effects.applies(i == 5 ? "taken" : "mark " + i)));
    }

    List<CompleteResult> results = nodes.atOnce(calls);

    assertThat(results.get(5)).isInstanceOf(EffectRefused.class);
    assertThat(results).filteredOn(Completed.class::isInstance).hasSize(ENOUGH - 1);
    assertThat(first.isComplete()).isFalse();
    elsewhere.rollback();
    assertThat(StoreCalls.await(first)).isInstanceOf(Completed.class);
    assertThat(nodes.effects.counted("first")).isEqualTo(1);
  }

  @Test
  void connectionLostUnderOneStatementLeavesTheOtherAndEachOfItsCallsIsResolved()
      throws SQLException {
    List<Attempt> attempts = claimed(ENOUGH + 1);
    Future<CompleteResult> first = held(attempts.get(ENOUGH));
    String firstBackend = nodes.database.value("SELECT pid" + WAITING);
    lock("second");
    List<Supplier<Future<CompleteResult>>> calls = new ArrayList<>();
    for (int i = 0; i < ENOUGH; i++) {
      calls.add(completion(attempts.get(i), nodes.effects.counts(i == 5 ? "second" : "row " + i)));
    }
    List<Future<CompleteResult>> running = StoreCalls.await(nodes.started(calls));
    awaitWaiting(2);

    nodes.database.value(
        "SELECT pg_terminate_backend(pid)" + WAITING + " AND pid <> " + firstBackend);

    running.forEach(
        it -> assertThatThrownBy(() -> StoreCalls.await(it)).isInstanceOf(StoreException.class));
    assertThat(first.isComplete()).isFalse();
    elsewhere.rollback();
    assertThat(StoreCalls.await(first)).isInstanceOf(Completed.class);
    assertThat(nodes.atOnce(calls)).allSatisfy(it -> assertThat(it).isInstanceOf(Completed.class));
    assertThat(nodes.effects.counted("second")).isEqualTo(1);
    assertThat(nodes.effects.counted("row 6")).isEqualTo(1);
  }

  @Test
  void statementsThatMeetAtTheSameRowsAndKeysApplyEachEffectOnce() {
    int many = 20 * MANY;
    List<Attempt> attempts = claimed(many);
    List<Supplier<Future<CompleteResult>>> calls = new ArrayList<>();
    for (int i = 0; i < many; i++) {
      Supplier<Future<CompleteResult>> call =
          completion(attempts.get(i), nodes.effects.counts("shared " + i % MANY));
      calls.add(call);
      calls.add(call);
    }
    Collections.shuffle(calls, new Random(7));

    assertThat(nodes.atOnce(calls)).allSatisfy(it -> assertThat(it).isInstanceOf(Completed.class));

    for (int i = 0; i < MANY; i++) {
      assertThat(nodes.effects.counted("shared " + i)).isEqualTo(20);
    }
  }
}
