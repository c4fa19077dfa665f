package dev.latchkey.testing.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

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
      CompletableFuture<String> answer =
          CompletableFuture.supplyAsync(() -> database.value("SELECT 1"));
      assertThatThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      server.resume();
      assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("1");
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
      assertThat(server.version()).startsWith("7.");
    }
  }

  @Test
  void redisObeysDebugSleepAndPause() throws Exception {
    try (RedisServer server = RealServers.startRedis("--enable-debug-command", "local")) {
      assertThat(server.command("DEBUG", "SLEEP", "0.01")).isEqualTo("OK");
      server.pause();
      CompletableFuture<Object> answer =
          CompletableFuture.supplyAsync(() -> server.command("PING"));
      assertThatThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      server.resume();
      assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("PONG");
    }
  }
}
