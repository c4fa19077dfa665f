package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.ClaimResult.InFlight;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.Completed;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.Direction;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** What statements over many keys must mind. */
class BatchTest {

  private static final int MANY = 32;

  private static PostgresNodes nodes;
  private static CuttingProxy proxy;
  private static PostgresStore store;
  private static PostgresStore other;
  private static PostgresStore patient;
  private static PostgresStore alsoPatient;

  /** One statement of a kind at a time, whoever calls. */
  private static PostgresStore strict;

  @BeforeAll
  static void open() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    proxy = CuttingProxy.before(nodes.database);
    Database traced = proxy.through(nodes.database);
    store = nodes.open(PostgresNodes.patient(), traced);
    other = nodes.open(PostgresNodes.patient(), traced);
    PostgresStoreOptions givingNoRowUp = PostgresNodes.patient().setLockTimeoutMillis(30_000);
    patient = nodes.open(givingNoRowUp, traced);
    alsoPatient = nodes.open(givingNoRowUp, traced);
    strict = nodes.open(PostgresNodes.patient().setApplicationName("strict"), traced);
  }

  @AfterAll
  static void close() {
    nodes.close();
    proxy.close();
  }

  /** How many statements claimed anything since the trace was last forgotten. */
  private static long claimStatements() {
    return proxy.trace().stream().filter(it -> it.runs("INSERT INTO latchkey_key")).count();
  }

  private static List<Attempt> attempts(int count) {
    return IntStream.range(0, count).mapToObj(i -> Attempt.atNewKey()).toList();
  }

  private static List<Supplier<Future<ClaimResult>>> claims(
      IdempotencyStore by, List<Attempt> attempts) {
    return attempts.stream()
        .<Supplier<Future<ClaimResult>>>map(it -> () -> by.claim(it.request()))
        .toList();
  }

  private static Supplier<Future<CompleteResult>> completion(Attempt attempt, Effect... effects) {
    return () -> store.complete(attempt.claim(), StoreCalls.CREATED, List.of(effects));
  }

  private static List<Attempt> claimed(int count) {
    List<Attempt> attempts = attempts(count);
    assertThat(nodes.atOnce(claims(store, attempts)))
        .allSatisfy(it -> assertThat(it).isInstanceOf(Claimed.class));
    return attempts;
  }

  /** The first answer comes when all have been asked for, though whoever asks is held up. */
  private static void claimedBehindTheFirst(List<Attempt> attempts) {
    proxy.delay(Direction.TO_CLIENT, Duration.ofMillis(50));
    try {
      assertThat(nodes.atOnce(claims(strict, attempts)))
          .allSatisfy(it -> assertThat(it).isInstanceOf(Claimed.class));
    } finally {
      proxy.delay(Direction.TO_CLIENT, Duration.ZERO);
    }
  }

  @Test
  void callsDuringAStatementShareTheNext() {
    new StoreCalls(strict).claimed(Attempt.atNewKey());
    proxy.forget();

    claimedBehindTheFirst(attempts(MANY));

    assertThat(claimStatements()).isLessThanOrEqualTo(2);
  }

  @Test
  void claimsInAnyOrderFromTwoNodesNeverDeadlock() {
    int many = 4 * MANY;
    for (int round = 0; round < 20; round++) {
      List<Attempt> attempts = attempts(many);
      List<Attempt> backwards = new ArrayList<>(attempts.stream().map(Attempt::retried).toList());
      Collections.reverse(backwards);
      proxy.forget();
      Future<List<Future<ClaimResult>>> one = nodes.started(claims(patient, attempts));
      Future<List<Future<ClaimResult>>> two = nodes.started(claims(alsoPatient, backwards));

      List<ClaimResult> results =
          await(
              Future.all(one, two)
                  .compose(
                      started -> {
                        List<Future<ClaimResult>> all = new ArrayList<>(one.result());
                        all.addAll(two.result());
                        return Future.all(all).map(it -> it.<ClaimResult>list());
                      }));

      assertThat(results).hasSize(2 * many);
      assertThat(results).filteredOn(Claimed.class::isInstance).hasSize(many);
      assertThat(results).filteredOn(InFlight.class::isInstance).hasSize(many);
      // A statement that met a deadlock would have been sent again claim by claim.
      assertThat(claimStatements()).isLessThan(MANY);
    }
  }

  @Test
  void openTransactionOnOneKeyDelaysNoOther() throws SQLException {
    Attempt lapsed = Attempt.atNewKey().withLease(1);
    new StoreCalls(store).claimed(lapsed);
    try (Connection elsewhere = nodes.database.jdbc()) {
      elsewhere.setAutoCommit(false);
      lock(elsewhere, lapsed);
      List<Attempt> all = new ArrayList<>(attempts(MANY));
      all.add(MANY / 2, lapsed.retried());

      List<ClaimResult> results = nodes.atOnce(claims(store, all));

      assertThat(results.get(MANY / 2))
          .isInstanceOfSatisfying(
              InFlight.class, it -> assertThat(it.leaseLeftMillis()).isBetween(1L, 1_000L));
      assertThat(results).filteredOn(Claimed.class::isInstance).hasSize(MANY);
      elsewhere.rollback();
    }
    assertThat(new StoreCalls(store).claimed(lapsed.retried()).takenOver()).isTrue();
  }

  @Test
  void unreadableRecordFailsOnlyItsClaim() {
    List<Attempt> attempts = claimed(MANY);
    attempts.forEach(new StoreCalls(store)::completed);
    Attempt broken = attempts.get(MANY / 2);
    nodes.database.value(
        "UPDATE latchkey_key SET response = '\\x63' WHERE key = '" + broken.key().key() + "'");
    List<Attempt> retried = attempts.stream().map(Attempt::retried).toList();

    List<Future<ClaimResult>> running = await(nodes.started(claims(store, retried)));

    for (int i = 0; i < MANY; i++) {
      Future<ClaimResult> each = running.get(i);
      if (i == MANY / 2) {
        assertThatThrownBy(() -> await(each))
            .isInstanceOfSatisfying(
                StoreException.class, it -> assertThat(it.outcome()).isEqualTo(Outcome.NOT_DONE))
            .hasMessageContaining("version 99");
      } else {
        assertThat(await(each)).isInstanceOf(ClaimResult.Completed.class);
      }
    }
  }

  private static void lock(Connection elsewhere, Attempt attempt) throws SQLException {
    try (var statement = elsewhere.createStatement()) {
      statement.execute(
          "UPDATE latchkey_key SET attempt = attempt WHERE key = '" + attempt.key().key() + "'");
    }
  }

  @Test
  void lockedBusinessRowDelaysOnlyItsCompletion() throws SQLException {
    nodes.database.value("INSERT INTO test_counter VALUES ('held', 0)");
    List<Attempt> attempts = claimed(8);
    try (Connection elsewhere = nodes.database.jdbc()) {
      elsewhere.setAutoCommit(false);
      elsewhere.createStatement().execute("UPDATE test_counter SET n = n WHERE name = 'held'");
      List<Supplier<Future<CompleteResult>>> calls = new ArrayList<>();
      for (int i = 0; i < attempts.size(); i++) {
        String counter = i == 3 ? "held" : "free " + i;
        calls.add(completion(attempts.get(i), nodes.effects.counts(counter)));
      }
      List<Future<CompleteResult>> running = await(nodes.started(calls));
      for (int i = 0; i < running.size(); i++) {
        if (i != 3) {
          assertThat(await(running.get(i))).isInstanceOf(Completed.class);
        }
      }
      assertThat(running.get(3).isComplete()).isFalse();
      elsewhere.rollback();
      assertThat(await(running.get(3))).isInstanceOf(Completed.class);
    }
    assertThat(nodes.effects.counted("held")).isEqualTo(1);
  }

  @Test
  void manyEffectsOnOneRowAllApply() {
    List<Attempt> attempts = claimed(MANY);

    List<CompleteResult> results =
        nodes.atOnce(
            attempts.stream().map(it -> completion(it, nodes.effects.counts("one row"))).toList());

    assertThat(results).allSatisfy(it -> assertThat(it).isInstanceOf(Completed.class));
    assertThat(nodes.effects.counted("one row")).isEqualTo(MANY);
  }

  @Test
  void effectsOfSeveralKindsAtOnceAllApply() {
    List<Attempt> attempts = claimed(MANY);
    List<Supplier<Future<CompleteResult>>> calls = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      Attempt attempt = attempts.get(i);
      calls.add(
          switch (i % 4) {
            case 0 -> completion(attempt);
            case 1 -> completion(attempt, nodes.effects.counts("kinds"));
            case 2 -> completion(attempt, nodes.effects.applies("kinds " + i));
            default ->
                completion(
                    attempt, nodes.effects.applies("two " + i), nodes.effects.counts("kinds"));
          });
    }

    assertThat(nodes.atOnce(calls)).allSatisfy(it -> assertThat(it).isInstanceOf(Completed.class));

    assertThat(nodes.effects.counted("kinds")).isEqualTo(MANY / 2);
    assertThat(nodes.effects.isApplied("kinds 2")).isTrue();
    assertThat(nodes.effects.isApplied("two 3")).isTrue();
  }

  @Test
  void failedConstraintRefusesOnlyItsCompletion() {
    List<Attempt> attempts = claimed(MANY);
    nodes.database.value("INSERT INTO test_mark VALUES ('taken')");
    List<Supplier<Future<CompleteResult>>> calls = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      String mark = i == 7 ? "taken" : i == 9 ? "x".repeat(200) : "constraint " + i;
      calls.add(completion(attempts.get(i), nodes.effects.applies(mark)));
    }

    List<CompleteResult> results = nodes.atOnce(calls);

    assertThat(results).filteredOn(Completed.class::isInstance).hasSize(MANY - 2);
    assertThat(results.get(7))
        .isEqualTo(new EffectRefused("applies", "23505, constraint test_mark_pkey"));
    assertThat(results.get(9))
        .isEqualTo(new EffectRefused("applies", "23514, constraint test_mark_mark_check"));
    assertThat(nodes.effects.isApplied("constraint 8")).isTrue();
    new StoreCalls(store).completed(attempts.get(7));
  }

  @Test
  void refusedEffectAndLostLeaseConcernOnlyTheirCompletions() {
    List<Attempt> attempts = claimed(MANY);
    new StoreCalls(store).released(attempts.get(5));
    List<Supplier<Future<CompleteResult>>> calls = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      Effect effect = i == 4 ? nodes.effects.refused() : nodes.effects.counts("refusal " + i);
      calls.add(completion(attempts.get(i), effect));
    }

    List<CompleteResult> results = nodes.atOnce(calls);

    assertThat(results.get(4)).isInstanceOf(EffectRefused.class);
    assertThat(results.get(5)).isInstanceOf(CompleteResult.LostLease.class);
    assertThat(results).filteredOn(Completed.class::isInstance).hasSize(MANY - 2);
    assertThat(nodes.effects.counted("refusal 5")).isZero();
    assertThat(nodes.effects.counted("refusal 6")).isEqualTo(1);
  }

  @Test
  void copiesOfOneCallNeverShareAStatement() {
    Attempt attempt = Attempt.atNewKey();
    List<Attempt> copies = Collections.nCopies(8, attempt);
    assertThat(nodes.atOnce(claims(store, copies)))
        .allSatisfy(it -> assertThat(((Claimed) it).attempt()).isEqualTo(1));

    assertThat(
            nodes.atOnce(
                copies.stream().map(it -> completion(it, nodes.effects.counts("copy"))).toList()))
        .allSatisfy(it -> assertThat(it).isInstanceOf(Completed.class));
    assertThat(nodes.effects.counted("copy")).isEqualTo(1);
  }

  @Test
  void claimsOfDifferentDurabilityDoNotShareAStatement() {
    new StoreCalls(strict).claimed(Attempt.atNewKey());
    List<Attempt> attempts = new ArrayList<>();
    for (Attempt each : attempts(MANY)) {
      boolean inStore = attempts.size() % 2 == 0;
      ClaimRequest it = each.request();
      attempts.add(
          new Attempt(new ClaimRequest(it.claim(), it.retentionMillis(), it.mode(), inStore)));
    }
    proxy.forget();

    claimedBehindTheFirst(attempts);

    assertThat(claimStatements()).isBetween(2L, 3L);
  }

  @Test
  void onlyAwaitedKeysAreNotified() throws SQLException {
    try (Connection ear = nodes.database.jdbc()) {
      ear.createStatement().execute("LISTEN latchkey");
      List<Attempt> attempts = claimed(MANY);
      Attempt awaited = attempts.get(11);
      await(other.watch(awaited.key()));

      nodes.atOnce(
          attempts.stream().map(it -> completion(it, nodes.effects.counts("quiet"))).toList());

      var notices = ear.unwrap(PGConnection.class).getNotifications(10_000);
      assertThat(notices).hasSize(1);
      assertThat(notices[0].getParameter()).contains(awaited.key().key());
    }
  }
}
