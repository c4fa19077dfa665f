package dev.latchkey.service;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.cli.PostgresLocation;
import dev.latchkey.store.postgres.PostgresStatements;
import dev.latchkey.store.postgres.PostgresStoreOptions;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.LogRecorder;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Vertx;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresCheckTest {

  /** One connection for all statements looks like a pooler that lends one process to each. */
  @ParameterizedTest
  @CsvSource({"1, true", "4, false"})
  void statementsOfOneProcessReportAPooler(int connections, boolean pooled) {
    Vertx vertx = TestVertx.create();
    Database database = RealServers.freshDatabase();
    await(DatabaseSchemas.migrate(vertx, database.connectOptions()));
    PostgresStatements statements =
        PostgresStatements.create(
            vertx,
            database.connectOptions(),
            new PostgresStoreOptions().setMaxConnections(connections));
    try (LogRecorder log = new LogRecorder(PostgresCheck.class)) {
      PostgresCheck.begin(vertx, statements, PostgresLocation.parse(database.uri()));

      String asked =
          "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
              + " AND query = 'SELECT pg_backend_pid()' AND state = 'idle'";
      Await.until(
          "the check has ended",
          () -> pooled ? !log.lines().isEmpty() : database.value(asked).equals("2"));
      await(statements.close());
      await(vertx.close());
      assertThat(log.lines().stream().filter(it -> it.contains("pooler in transaction mode")))
          .hasSize(pooled ? 1 : 0);
    }
  }
}
