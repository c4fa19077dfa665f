package dev.latchkey.service;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.cli.PostgresLocation;
import dev.latchkey.store.postgres.PostgresNodes;
import dev.latchkey.store.postgres.PostgresStatements;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Vertx;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MigrateTest {

  private static final String TABLES =
      "SELECT string_agg(tablename, ' ' ORDER BY tablename) FROM pg_tables"
          + " WHERE schemaname = 'public' AND tablename NOT LIKE '%schema_history'";

  @Test
  void severalNodesCanMigrateAtOnceAndRepeatedly() throws Exception {
    Database database = RealServers.freshDatabase();
    PostgresLocation location = PostgresLocation.parse(database.uri());
    List<CompletableFuture<Integer>> nodes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      nodes.add(CompletableFuture.supplyAsync(() -> new Processes().migrate(location)));
    }
    for (CompletableFuture<Integer> node : nodes) {
      assertThat(node.get(60, TimeUnit.SECONDS)).isZero();
    }
    assertThat(new Processes().migrate(location)).isZero();
    assertThat(database.value("SELECT count(*) FROM latchkey_key")).isEqualTo("0");
  }

  @Test
  void unreachableOrRefusingDatabaseEndsWithOne() throws Exception {
    Database database = RealServers.freshDatabase();
    String wrongPassword = database.uri().replace(":secret@", ":s3cret@");
    // Bound and not listening: nobody else gets its port, and whoever connects is refused.
    try (Socket nobody = new Socket()) {
      nobody.bind(new InetSocketAddress("127.0.0.1", 0));
      String closed = database.uriBy("127.0.0.1", nobody.getLocalPort());
      for (String uri : new String[] {closed, wrongPassword}) {
        assertThat(new Processes().migrate(PostgresLocation.parse(uri))).isEqualTo(1);
      }
    }
  }

  @Test
  void silentServerEndsWithOne() throws Exception {
    Database database = RealServers.freshDatabase();
    try (ServerSocket silent = new ServerSocket(0, 8, InetAddress.getByName("127.0.0.1"))) {
      String uri = database.uriBy("127.0.0.1", silent.getLocalPort());
      int code = CompletableFuture.supplyAsync(() -> migrate(uri)).get(60, TimeUnit.SECONDS);
      assertThat(code).isEqualTo(1);
    }
  }

  @Test
  void missingTablesAreReported() throws Exception {
    Database database = RealServers.freshDatabase();
    Vertx vertx = TestVertx.create();
    PostgresStatements statements =
        PostgresStatements.create(vertx, database.connectOptions(), PostgresNodes.patient());
    List<String> all = await(DatabaseSchemas.missing(statements));
    assertThat(migrate(database.uri())).isZero();
    assertThat(await(DatabaseSchemas.missing(statements))).isEmpty();
    assertThat(database.value(TABLES)).isEqualTo(String.join(" ", new TreeSet<>(all)));

    database.value("DROP TABLE latchkey_receipt");
    assertThat(await(DatabaseSchemas.missing(statements))).containsExactly("latchkey_receipt");
    await(statements.close().compose(v -> vertx.close()));
  }

  private static int migrate(String uri) {
    try {
      return new Processes().migrate(PostgresLocation.parse(uri));
    } catch (IllegalArgumentException e) {
      throw new AssertionError(e);
    }
  }
}
