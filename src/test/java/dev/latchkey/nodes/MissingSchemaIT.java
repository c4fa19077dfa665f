package dev.latchkey.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.LatchkeyProcess;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PostgresServer;
import dev.latchkey.testing.servers.RealServers;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A node with {@code --no-migrate} over a database without the schema. */
class MissingSchemaIT {

  private final Database database = RealServers.freshDatabase();
  private final Map<String, String> there =
      Map.of("LATCHKEY_STORE", "postgres", "LATCHKEY_POSTGRES_URI", database.uri());

  @Test
  void missingSchemaIsLoggedAndNodeServesAfterMigrate() {
    try (LatchkeyProcess node =
        LatchkeyProcess.start(there, "serve", "--port", "0", "--no-migrate")) {
      assertThat(PaymentClient.isReady(node.url())).isFalse();
      Await.until(
          "the error is logged",
          () -> node.err().stream().anyMatch(MissingSchemaIT::isSchemaError));
      // A busy machine may need more than a second to connect. The schema is no reason.
      assertThat(node.err())
          .filteredOn(line -> !line.contains("no connection within"))
          .noneMatch(line -> line.contains("reach") || line.contains("is lost"));

      try (LatchkeyProcess migrate = LatchkeyProcess.start(there, "migrate")) {
        assertThat(migrate.exitCode()).as("%s", migrate.err()).isZero();
      }

      Await.until("the node is ready", () -> PaymentClient.isReady(node.url()));
      PaymentClient.payUntilPaid(node.url(), "first", PaymentClient.VISA);
      assertThat(node.err()).filteredOn(MissingSchemaIT::isSchemaError).hasSize(1);
      assertThat(node.err()).noneMatch(line -> line.contains(database.password()));
    }
  }

  @Test
  void missingSchemaIsLoggedOnceTheServerIsBack() {
    try (PostgresServer server = RealServers.startPostgres()) {
      Database empty = server.freshDatabase();
      server.kill9();
      Map<String, String> away =
          Map.of("LATCHKEY_STORE", "postgres", "LATCHKEY_POSTGRES_URI", empty.uri());
      try (LatchkeyProcess node =
          LatchkeyProcess.start(away, "serve", "--port", "0", "--no-migrate")) {
        assertThat(PaymentClient.isReady(node.url())).isFalse();
        Await.until(
            "the outage is logged", () -> node.err().stream().anyMatch(it -> it.contains("lost")));

        server.restart();

        Await.until(
            "the error is logged",
            () -> node.err().stream().anyMatch(MissingSchemaIT::isSchemaError));
      }
    }
  }

  private static boolean isSchemaError(String line) {
    return line.contains(" ERROR ")
        && line.contains("schema")
        && line.contains("latchkey_key")
        && line.contains("'migrate'")
        && line.contains("--no-migrate");
  }
}
