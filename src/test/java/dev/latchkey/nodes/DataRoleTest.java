package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A node with the database role of the deployment, which has rights on rows only. */
class DataRoleTest {

  private static final String PASSWORD = "of-the-service";

  private static Database asService(Database owner) throws IOException {
    for (String statement :
        Files.readString(Path.of("deploy/postgres-roles.sql"))
            .replaceAll("(?m)^--.*$", "")
            .split(";")) {
      if (!statement.isBlank()) {
        owner.value(statement);
      }
    }
    owner.value("ALTER ROLE latchkey_service LOGIN PASSWORD '" + PASSWORD + "'");
    return new Database(owner.host(), owner.port(), owner.name(), "latchkey_service", PASSWORD);
  }

  @Test
  void nodeNeedsNoRightsOnTheSchema() throws IOException {
    try (PostgresServer server = RealServers.startPostgres();
        TestPsp psp = new TestPsp()) {
      Database owner = server.freshDatabase();
      Database service = asService(owner);
      LocalNode.migrate(owner);

      try (LocalNode node = LocalNode.overPostgres(service, psp.url())) {
        var first = PaymentClient.pay(node.url(), "key", "pm_slow_300");
        var duplicate = PaymentClient.pay(node.url(), "key", "pm_slow_300");
        assertThat(await(first).statusCode()).as(await(first).body()).isEqualTo(201);
        assertThat(await(duplicate).body()).isEqualTo(await(first).body());
        assertThat(PaymentClient.booked(node.url())).isEqualTo(1);
        assertThat(PaymentClient.isReady(node.url())).isTrue();
      }
      for (String ddl :
          new String[] {"CREATE TABLE t (id int)", "ALTER TABLE latchkey_key ADD x int"}) {
        assertThatThrownBy(() -> service.value(ddl)).hasMessageMatching("(?s).*(denied|owner).*");
      }
    }
  }
}
