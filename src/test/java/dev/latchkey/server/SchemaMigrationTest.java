package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.server.SchemaMigration.FailedException;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RealServers;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SchemaMigrationTest {

  @Test
  void appliesWhatIsMissingOnce() throws Exception {
    PostgresLocation database = PostgresLocation.parse(RealServers.freshDatabase().uri());
    SchemaMigration.run(database);
    assertThat(SchemaMigration.run(database)).isZero();
    assertThat(Processes.migrate(database)).isZero();
  }

  @Test
  void severalNodesMayStartAtOnce() throws Exception {
    Database database = RealServers.freshDatabase();
    PostgresLocation location = PostgresLocation.parse(database.uri());
    List<CompletableFuture<Integer>> nodes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      nodes.add(CompletableFuture.supplyAsync(() -> Processes.migrate(location)));
    }
    for (CompletableFuture<Integer> node : nodes) {
      assertThat(node.get(60, TimeUnit.SECONDS)).isZero();
    }
  }

  @Test
  void saysInOneLineWhyItCannot() throws Exception {
    int closed;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      closed = socket.getLocalPort();
    }
    Database database = RealServers.freshDatabase();
    String wrongPassword = database.uri().replace(":secret@", ":s3cret@");
    for (String uri : new String[] {database.uriBy("127.0.0.1", closed), wrongPassword}) {
      PostgresLocation location = PostgresLocation.parse(uri);
      assertThatThrownBy(() -> SchemaMigration.run(location))
          .isInstanceOf(FailedException.class)
          .hasMessageContaining("the schema of postgresql://127.0.0.1:")
          .message()
          .doesNotContain("\n", "secret", "s3cret");
      assertThat(Processes.migrate(location)).isEqualTo(1);
    }
  }
}
