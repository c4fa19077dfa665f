package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.core.spi.TransactionWork;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.Receipts;
import dev.latchkey.store.Receipts.Attempted;
import dev.latchkey.store.Receipts.Committed;
import dev.latchkey.store.Receipts.Refused;
import dev.latchkey.store.Receipts.RolledBack;
import dev.latchkey.store.Receipts.Taken;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What commits of many receipts must mind, and the application's own work beside one. */
class PostgresReceiptsTest {

  private static final int MANY = 32;
  private static final long KEPT_MILLIS = 3_600_000;

  private static PostgresNodes nodes;
  private static PostgresReceipts receipts;
  private static PostgresReceipts other;

  @BeforeAll
  static void open() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    receipts = nodes.openReceipts();
    other = nodes.openReceipts();
  }

  @AfterAll
  static void close() {
    nodes.close();
  }

  private static Attempted attempted(Attempt attempt) {
    return new Attempted(attempt.claim(), 1, 1_000, 1_000 + KEPT_MILLIS, KEPT_MILLIS);
  }

  private static Supplier<Future<Receipts.Result>> commit(
      Receipts by, Attempt attempt, StoredResponse response, Effect... effects) {
    return () -> by.commit(attempted(attempt), response, List.of(effects));
  }

  private static Receipts.Result committed(Attempt attempt, Effect... effects) {
    return await(commit(receipts, attempt, StoreCalls.CREATED, effects).get());
  }

  private static Receipts.Result committed(Attempt attempt, Work work, Effect... effects) {
    return await(receipts.commit(attempted(attempt), work, List.of(effects)));
  }

  private static boolean hasReceipt(Attempt attempt) {
    return await(receipts.find(attempt.key())).isPresent();
  }

  private static List<Attempt> attempts() {
    return IntStream.range(0, MANY).mapToObj(i -> Attempt.atNewKey()).toList();
  }

  @Test
  void concurrentCommitsOfTheSameKeysHaveOneWinnerEach() {
    for (int round = 0; round < 20; round++) {
      List<Attempt> ours = attempts();
      List<Attempt> theirs = new ArrayList<>(ours.stream().map(Attempt::retried).toList());
      Collections.reverse(theirs);
      Future<List<Future<Receipts.Result>>> one =
          nodes.started(ours.stream().map(it -> counted(receipts, it)).toList());
      Future<List<Future<Receipts.Result>>> two =
          nodes.started(theirs.stream().map(it -> counted(other, it)).toList());

      List<Receipts.Result> results =
          await(
              Future.all(one, two)
                  .compose(
                      started -> {
                        List<Future<Receipts.Result>> all = new ArrayList<>(one.result());
                        all.addAll(two.result());
                        return Future.all(all).map(it -> it.<Receipts.Result>list());
                      }));

      assertThat(results).filteredOn(Committed.class::isInstance).hasSize(MANY);
      assertThat(results).filteredOn(Taken.class::isInstance).hasSize(MANY);
      assertThat(ours)
          .allSatisfy(it -> assertThat(nodes.effects.counted(it.key().key())).isEqualTo(1));
    }
    assertThat(
            nodes.database.value(
                "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"))
        .isEqualTo("0");
  }

  private static Supplier<Future<Receipts.Result>> counted(Receipts by, Attempt attempt) {
    return commit(by, attempt, StoreCalls.CREATED, nodes.effects.counts(attempt.key().key()));
  }

  @Test
  void copiesOfOneCommitWriteItsEffectOnce() {
    Attempt attempt = Attempt.atNewKey();

    List<Receipts.Result> results =
        nodes.atOnce(Collections.nCopies(MANY, counted(receipts, attempt)));

    assertThat(results).allSatisfy(it -> assertThat(it).isInstanceOf(Committed.class));
    assertThat(nodes.effects.counted(attempt.key().key())).isEqualTo(1);
  }

  @Test
  void refusedEffectAndTakenKeyConcernOnlyTheirCommits() {
    List<Attempt> attempts = attempts();
    Attempt first = attempts.get(5).retried();
    committed(first);
    List<Supplier<Future<Receipts.Result>>> calls = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      Attempt it = attempts.get(i);
      calls.add(
          i == 4
              ? commit(receipts, it, StoreCalls.CREATED, nodes.effects.refused())
              : counted(receipts, it));
    }

    List<Receipts.Result> results = nodes.atOnce(calls);

    assertThat(results.get(4)).isInstanceOf(Refused.class);
    assertThat(((Taken) results.get(5)).receipt().token()).isEqualTo(first.token());
    assertThat(results).filteredOn(Committed.class::isInstance).hasSize(MANY - 2);
    assertThat(hasReceipt(attempts.get(4))).isFalse();
    assertThat(nodes.effects.counted(attempts.get(5).key().key())).isZero();
    assertThat(nodes.effects.counted(attempts.get(6).key().key())).isEqualTo(1);
    assertThat(committed(attempts.get(4))).isInstanceOf(Committed.class);
  }

  @Test
  void unreadableReceiptFailsOnlyTheCallsOfItsKey() {
    List<Attempt> attempts = attempts();
    Attempt newer = attempts.get(5).retried();
    Attempt older = attempts.get(6).retried();
    committed(newer);
    committed(older);
    nodes.database.value(
        "UPDATE latchkey_receipt SET response = set_byte(response, 0, 2) WHERE key = '"
            + newer.key().key()
            + "'");

    List<Future<Optional<Receipt>>> found = started(it -> () -> receipts.find(it.key()), attempts);
    for (int i = 0; i < MANY; i++) {
      if (i == 5) {
        assertNotDone(found.get(i));
      } else {
        assertThat(await(found.get(i)).isPresent()).isEqualTo(i == 6);
      }
    }
    List<Future<Receipts.Result>> results =
        started(it -> commit(receipts, it, StoreCalls.CREATED), attempts);
    for (int i = 0; i < MANY; i++) {
      if (i == 5) {
        assertNotDone(results.get(i));
      } else {
        assertThat(await(results.get(i))).isInstanceOf(i == 6 ? Taken.class : Committed.class);
      }
    }
  }

  private static <T> List<Future<T>> started(
      Function<Attempt, Supplier<Future<T>>> call, List<Attempt> attempts) {
    return await(nodes.started(attempts.stream().map(call).toList()));
  }

  private static void assertNotDone(Future<?> call) {
    assertThatThrownBy(() -> await(call))
        .isInstanceOfSatisfying(
            StoreException.class, it -> assertThat(it.outcome()).isEqualTo(Outcome.NOT_DONE));
  }

  @Test
  void severalEffectsAreWrittenTogetherOrNotAtAll() {
    Attempt attempt = Attempt.atNewKey();
    String mark = attempt.key().key();

    assertThat(committed(attempt, nodes.effects.counts(mark), nodes.effects.refused()))
        .isInstanceOf(Refused.class);
    assertThat(nodes.effects.counted(mark)).isZero();
    assertThat(committed(attempt, nodes.effects.counts(mark), nodes.effects.applies(mark)))
        .isInstanceOf(Committed.class);

    assertThat(nodes.effects.counted(mark)).isEqualTo(1);
    assertThat(nodes.effects.isApplied(mark)).isTrue();
    assertThat(committed(attempt, nodes.effects.counts(mark), nodes.effects.applies(mark)))
        .isInstanceOf(Committed.class);
    assertThat(committed(attempt.retried(), nodes.effects.counts(mark), nodes.effects.counts(mark)))
        .isInstanceOf(Taken.class);
    assertThat(nodes.effects.counted(mark)).isEqualTo(1);
  }

  @Test
  void openTransactionDelaysOnlyItsKey() throws SQLException {
    List<Attempt> attempts = attempts();
    Attempt held = attempts.get(3);
    try (Connection elsewhere = nodes.database.jdbc()) {
      elsewhere.setAutoCommit(false);
      insert(elsewhere, held.retried());
      List<Future<Receipts.Result>> running =
          await(nodes.started(attempts.stream().map(it -> counted(receipts, it)).toList()));
      for (int i = 0; i < MANY; i++) {
        if (i != 3) {
          assertThat(await(running.get(i))).isInstanceOf(Committed.class);
        }
      }
      assertThat(hasReceipt(held)).isFalse();
      assertThat(running.get(3).isComplete()).isFalse();

      elsewhere.commit();

      assertThat(await(running.get(3))).isInstanceOf(Taken.class);
    }
    assertThat(nodes.effects.counted(held.key().key())).isZero();
  }

  private static void insert(Connection elsewhere, Attempt attempt) throws SQLException {
    try (var statement =
        elsewhere.prepareStatement(
            "INSERT INTO latchkey_receipt VALUES"
                + " (?, ?, ?, 0, 1, latchkey_now() + 100000, 1, ?, ?, '', ?)")) {
      statement.setString(1, attempt.key().tenant());
      statement.setString(2, attempt.key().key());
      statement.setString(3, attempt.key().route());
      statement.setBytes(4, attempt.claim().fingerprint().hash());
      statement.setBytes(5, KeyParameters.bytes(attempt.token()).getBytes());
      statement.setBytes(6, StoredResponseCodec.encode(StoreCalls.OTHER));
      statement.execute();
    }
  }

  private record Work(Function<SqlConnection, Future<Optional<StoredResponse>>> body)
      implements TransactionWork<SqlConnection> {
    @Override
    public Class<SqlConnection> connectionType() {
      return SqlConnection.class;
    }

    @Override
    public Future<Optional<StoredResponse>> run(SqlConnection connection) {
      return body.apply(connection);
    }
  }

  private static Work marks(String mark, Optional<StoredResponse> answer) {
    return new Work(
        connection ->
            connection
                .query("INSERT INTO test_mark VALUES ('" + mark + "')")
                .execute()
                .map(rows -> answer));
  }

  @Test
  void writesResponseAndEffectsCommitTogether() {
    Attempt attempt = Attempt.atNewKey();
    Work work = marks("work", Optional.of(StoreCalls.OTHER));

    assertThat(committed(attempt, work, nodes.effects.counts("work")))
        .isInstanceOf(Committed.class);

    assertThat(await(receipts.find(attempt.key())).orElseThrow().response())
        .isEqualTo(StoreCalls.OTHER);
    assertThat(nodes.effects.isApplied("work")).isTrue();
    assertThat(nodes.effects.counted("work")).isEqualTo(1);
    // Again under the same token, and under another: nothing runs, or the mark would be refused.
    assertThat(committed(attempt, work, nodes.effects.counts("work")))
        .isInstanceOf(Committed.class);
    assertThat(committed(attempt.retried(), work)).isInstanceOf(Taken.class);
    assertThat(nodes.effects.counted("work")).isEqualTo(1);
  }

  @Test
  void withoutResponseOrWithARefusedEffectNothingIsStored() {
    Attempt attempt = Attempt.atNewKey();

    assertThat(committed(attempt, marks("none", Optional.empty()))).isInstanceOf(RolledBack.class);
    assertThat(
            committed(
                attempt, marks("none", Optional.of(StoreCalls.OTHER)), nodes.effects.refused()))
        .isInstanceOf(Refused.class);

    assertThat(nodes.effects.isApplied("none")).isFalse();
    assertThat(hasReceipt(attempt)).isFalse();
    assertThat(committed(attempt.retried())).isInstanceOf(Committed.class);
  }

  @Test
  void workThatCommitsByItselfLeavesNoReceipt() {
    Attempt attempt = Attempt.atNewKey();
    Work commits =
        new Work(
            connection ->
                connection.query("COMMIT").execute().map(rows -> Optional.of(StoreCalls.OTHER)));

    assertThatThrownBy(() -> committed(attempt, commits)).isInstanceOf(StoreException.class);

    assertThat(hasReceipt(attempt)).isFalse();
    assertThat(await(receipts.list("tenant", attempt.key().key(), 10))).isEmpty();
    assertThat(committed(attempt.retried())).isInstanceOf(Committed.class);
  }

  private void expire(Attempt attempt) {
    nodes.database.value(
        "UPDATE latchkey_receipt SET kept_until_millis = latchkey_now() WHERE key = '"
            + attempt.key().key()
            + "'");
  }

  @Test
  void receiptThatIsSentAgainAfterItExpiredIsNotAppliedAgain() {
    Attempt attempt = Attempt.atNewKey();
    Work work = marks("expired", Optional.of(StoreCalls.OTHER));
    String counter = attempt.key().key();
    committed(attempt, work, nodes.effects.counts(counter));
    expire(attempt);

    assertThat(committed(attempt, nodes.effects.counts(counter))).isInstanceOf(Committed.class);
    assertThat(committed(attempt, work, nodes.effects.counts(counter)))
        .isInstanceOf(Committed.class);

    assertThat(nodes.effects.counted(counter)).isEqualTo(1);
    assertThat(hasReceipt(attempt)).isFalse();
    assertThat(committed(attempt.retried(), nodes.effects.counts(counter)))
        .isInstanceOf(Committed.class);
    assertThat(nodes.effects.counted(counter)).isEqualTo(2);
  }

  @Test
  void purgeDeletesOnlyExpiredReceipts() {
    Attempt kept = Attempt.atNewKey();
    committed(kept);
    Attempt expired = Attempt.atNewKey();
    committed(expired);
    expire(expired);

    assertThat(hasReceipt(expired)).isFalse();
    assertThat(await(receipts.purgeExpired(1_000)).purged()).isEqualTo(1);
    assertThat(await(receipts.purgeExpired(1_000)).purged()).isZero();

    assertThat(hasReceipt(kept)).isTrue();
  }
}
