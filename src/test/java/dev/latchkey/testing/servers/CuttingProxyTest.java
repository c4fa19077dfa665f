package dev.latchkey.testing.servers;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.CuttingProxy.Action;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CuttingProxyTest {

  private static final String ROWS = "SELECT coalesce(string_agg(id::text, ','), '-') FROM t";

  private Database direct;
  private CuttingProxy proxy;
  private Database proxied;

  @BeforeEach
  void setUp() {
    direct = RealServers.freshDatabase();
    direct.value("CREATE TABLE t (id int)");
    proxy = CuttingProxy.before(direct);
    proxied = proxy.through(direct);
  }

  @AfterEach
  void tearDown() {
    proxy.close();
  }

  /** Inserts two rows and commits. */
  private void transaction() throws SQLException {
    try (Connection connection = proxied.jdbc();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("INSERT INTO t VALUES (1)");
      statement.execute("INSERT INTO t VALUES (2)");
      connection.commit();
    }
  }

  @Test
  void passesAndTracesWhatNothingIsSaidAbout() throws SQLException {
    transaction();
    assertThat(direct.value(ROWS)).isEqualTo("1,2");
    assertThat(proxy.trace()).anyMatch(message -> message.runs("INSERT"));
    assertThat(proxy.trace()).anyMatch(message -> message.isCommandComplete("COMMIT"));
    assertThat(proxy.trace().toString()).doesNotContain(direct.password());
  }

  @ParameterizedTest
  @CsvSource({
    "INSERT, 1, CUT_BEFORE, -",
    "INSERT, 2, CUT_BEFORE, -",
    "INSERT, 2, CUT_AFTER, -",
    "COMMIT, 1, CUT_BEFORE, -",
    "COMMIT, 1, CUT_AFTER, '1,2'"
  })
  void cutsAtTheExecuteOfAStatement(String sql, int nth, Action action, String rows)
      throws Exception {
    CompletableFuture<PgMessage> cut = proxy.at(message -> message.runs(sql), nth, action);
    assertThatThrownBy(this::transaction).isInstanceOf(SQLException.class);
    assertThat(cut.get(30, TimeUnit.SECONDS).sql()).contains(sql);
    awaitNoSessions();
    assertThat(direct.value(ROWS)).isEqualTo(rows);
    transaction();
  }

  @Test
  void losesTheResponseToACommitThatHappened() throws Exception {
    Predicate<PgMessage> committed = message -> message.isCommandComplete("COMMIT");
    CompletableFuture<PgMessage> cut = proxy.at(committed, 1, Action.CUT_BEFORE);
    assertThatThrownBy(this::transaction).isInstanceOf(SQLException.class);
    assertThat(cut.get(30, TimeUnit.SECONDS).sql()).isEqualTo("COMMIT");
    assertThat(direct.value(ROWS)).isEqualTo("1,2");
  }

  @Test
  void silenceKeepsTheConnectionAndReturnsNothing() throws Exception {
    CompletableFuture<PgMessage> silent =
        proxy.at(message -> message.runs("COMMIT"), 1, Action.SILENCE_BEFORE);
    CompletableFuture<Void> run = CompletableFuture.runAsync(this::uncheckedTransaction);
    silent.get(30, TimeUnit.SECONDS);
    assertThatThrownBy(() -> run.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    assertThat(proxy.connections()).isEqualTo(1);
    proxy.cutAll();
    assertThatThrownBy(() -> run.get(30, TimeUnit.SECONDS)).hasMessageContaining("I/O error");
  }

  @Test
  void swallowsOneWayUntilTold() throws Exception {
    proxy.swallow(Direction.TO_CLIENT);
    CompletableFuture<Void> run = CompletableFuture.runAsync(this::uncheckedTransaction);
    awaitSomethingToTheClient();
    assertThatThrownBy(() -> run.get(300, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    proxy.pass();
    transaction();
    assertThat(run).isNotDone();
  }

  private void awaitSomethingToTheClient() {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (proxy.trace().stream().noneMatch(it -> it.direction() == Direction.TO_CLIENT)) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Action.class,
      names = {"CUT_AFTER", "SILENCE_AFTER"})
  void theResponseToTheLastMessageDoesNotArrive(Action action) {
    Vertx vertx = TestVertx.create();
    try {
      PgConnection connection = await(PgConnection.connect(vertx, proxied.connectOptions()));
      CompletableFuture<PgMessage> asked = proxy.at(message -> message.runs("SELECT 4"), 1, action);
      Future<?> response = connection.query("SELECT 4").execute();
      asked.orTimeout(30, TimeUnit.SECONDS).join();
      proxy.cutAll();
      assertThat(await(response.map(false).otherwise(true))).isTrue();
    } finally {
      await(vertx.close());
    }
  }

  @Test
  void refusesAndAcceptsAgain() throws SQLException {
    proxy.refuse();
    assertThatThrownBy(this::transaction).hasMessageContaining("refused");
    proxy.accept();
    transaction();
  }

  @Test
  void delaysEveryPiece() throws SQLException {
    transaction();
    long responses =
        proxy.trace().stream()
            .filter(message -> message.direction() == Direction.TO_CLIENT)
            .count();
    proxy.delay(Direction.TO_CLIENT, Duration.ofMillis(5));
    long start = System.nanoTime();
    transaction();
    assertThat(System.nanoTime() - start).isGreaterThan(responses * 5_000_000);
  }

  @Test
  void understandsPipelinedPreparedStatements() throws Exception {
    Vertx vertx = TestVertx.create();
    try {
      PgConnection connection =
          PgConnection.connect(vertx, proxied.connectOptions().setCachePreparedStatements(true))
              .toCompletionStage()
              .toCompletableFuture()
              .get(30, TimeUnit.SECONDS);
      CompletableFuture<PgMessage> third =
          proxy.at(message -> message.runs("SELECT 3"), 1, Action.CUT_BEFORE);
      var one = connection.preparedQuery("SELECT 1").execute();
      var two = connection.preparedQuery("SELECT 2").execute();
      var three = connection.preparedQuery("SELECT 3").execute();
      assertThat(third.get(30, TimeUnit.SECONDS).sql()).isEqualTo("SELECT 3");
      assertThatThrownBy(
              () -> three.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS))
          .hasMessageContaining("losed");
      assertThat(one.isComplete()).isTrue();
      assertThat(two.isComplete()).isTrue();
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void standsBeforeRedisToo() {
    try (RedisServer redis = RealServers.startRedis();
        CuttingProxy before = CuttingProxy.before(redis);
        RespConnection connection = new RespConnection("127.0.0.1", before.port())) {
      assertThat(connection.command("PING")).isEqualTo("PONG");
      before.cutAll();
      assertThatThrownBy(() -> connection.command("PING")).isInstanceOf(AssertionError.class);
    }
  }

  private void uncheckedTransaction() {
    try {
      transaction();
    } catch (SQLException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  /** A session whose client has gone may still be rolling back, or committing. */
  private void awaitNoSessions() {
    String others =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!"0".equals(direct.value(others))) {
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }
}
