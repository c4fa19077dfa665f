package dev.latchkey.testing.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RealServersTest {

  @Test
  void postgresFlushesWhatItCommits() {
    Database database = RealServers.freshDatabase();
    assertThat(database.value("SHOW fsync")).isEqualTo("on");
    assertThat(database.value("SHOW synchronous_commit")).isEqualTo("on");
    assertThat(database.value("SHOW server_version")).startsWith("1");
  }

  @Test
  void everyDatabaseIsNewAndEmpty() {
    Database one = RealServers.freshDatabase();
    Database other = RealServers.freshDatabase();
    one.value("CREATE TABLE t (id int)");
    assertThat(other.value("SELECT to_regclass('t')::text")).isNull();
  }

  @Test
  void killedPostgresKeepsWhatWasCommitted() throws SQLException {
    try (PostgresServer server = RealServers.startPostgres()) {
      Database database = server.freshDatabase();
      database.value("CREATE TABLE t AS SELECT 7 AS id");
      try (Connection open = database.jdbc()) {
        open.setAutoCommit(false);
        open.createStatement().execute("INSERT INTO t VALUES (8)");
        server.kill9();
      } catch (SQLException e) {
        assertThat(e.getSQLState()).startsWith("08");
      }
      server.restart();
      assertThat(database.value("SELECT string_agg(id::text, ',') FROM t")).isEqualTo("7");
    }
  }

  @Test
  void pausedPostgresIsSilentAndGoesOnWhenResumed() throws Exception {
    try (PostgresServer server = RealServers.startPostgres()) {
      Database database = server.freshDatabase();
      server.pause();
      CompletableFuture<String> response =
          CompletableFuture.supplyAsync(() -> database.value("SELECT 1"));
      assertThatThrownBy(() -> response.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      server.resume();
      assertThat(response.get(30, TimeUnit.SECONDS)).isEqualTo("1");
    }
  }

  @Test
  void killedRedisKeepsWhatItAppendedAndNothingElse() {
    String[] durable = {"--appendonly", "yes", "--appendfsync", "always"};
    try (RedisServer server = RealServers.startRedis(durable);
        RedisServer forgetful = RealServers.startRedis()) {
      server.command("SET", "k", "v");
      forgetful.command("SET", "k", "v");
      server.restart();
      forgetful.restart();
      assertThat(server.command("GET", "k")).isEqualTo("v");
      assertThat(forgetful.command("GET", "k")).isNull();
      assertThat(server.version()).isEqualTo(Binaries.redisVersion());
    }
  }

  @Test
  void redisObeysDebugSleepAndPause() throws Exception {
    try (RedisServer server = RealServers.startRedis(RedisServer.debugAllowed())) {
      assertThat(server.command("DEBUG", "SLEEP", "0.01")).isEqualTo("OK");
      server.pause();
      CompletableFuture<Object> response =
          CompletableFuture.supplyAsync(() -> server.command("PING"));
      assertThatThrownBy(() -> response.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      server.resume();
      assertThat(response.get(30, TimeUnit.SECONDS)).isEqualTo("PONG");
    }
  }

  @Test
  void clusterKnowsWhereItsSlotsAre() {
    try (RedisCluster cluster = RealServers.startRedisCluster()) {
      RedisServer first = cluster.nodes().get(0);
      RedisServer second = cluster.nodes().get(1);
      // CLUSTER KEYSLOT: "bar" is 5061, "foo" 12182.
      assertThat(first.command("SET", "bar", "1")).isEqualTo("OK");
      assertThat(second.command("SET", "foo", "1")).isEqualTo("OK");
      assertThatThrownBy(() -> first.command("GET", "foo"))
          .hasMessageContaining("MOVED 12182 127.0.0.1:" + second.port());
    }
  }

  @Test
  void bothSpeakTls(@TempDir Path directory) throws Exception {
    TestCertificate certificate = TestCertificate.create(directory, "ip:127.0.0.1");
    try (PostgresServer postgres = RealServers.startPostgres(certificate)) {
      Database database = postgres.maintenanceDatabase();
      String url =
          "jdbc:postgresql://127.0.0.1:%d/postgres?sslmode=verify-full&sslrootcert=%s"
              .formatted(postgres.port(), certificate.certificateFile());
      try (Connection tls = DriverManager.getConnection(url, database.user(), database.password());
          ResultSet row =
              tls.createStatement()
                  .executeQuery("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getBoolean(1)).isTrue();
      }
    }
    try (RedisServer redis = RealServers.startRedis(certificate)) {
      assertThatThrownBy(() -> redis.command("PING")).isInstanceOf(AssertionError.class);
    }
  }

  @Test
  void serversDoNotOutliveAKilledJvm() throws Exception {
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Doomed.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<ProcessHandle> servers;
    try (BufferedReader out = jvm.inputReader()) {
      assertThat(out.lines().anyMatch("started"::equals)).isTrue();
      servers = jvm.descendants().filter(RealServersTest::isServer).toList();
      jvm.destroyForcibly().waitFor();
    }
    assertThat(servers).hasSizeGreaterThan(4);
    for (ProcessHandle server : servers) {
      ServerProcess.awaitEnd(server);
    }
  }

  private static boolean isServer(ProcessHandle process) {
    String command = process.info().command().orElse("");
    return command.endsWith("/postgres") || command.endsWith("/redis-server");
  }

  /** Starts servers, one of them paused, and is killed. */
  static final class Doomed {
    public static void main(String[] args) throws Exception {
      EmbeddedPostgres.start(List.of()).pause();
      EmbeddedRedis.start(List.of());
      System.out.println("started");
      new CountDownLatch(1).await();
    }
  }
}
