package dev.latchkey.store.postgres.connection;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.store.postgres.PostgresStoreOptions;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import org.junit.jupiter.api.Test;

class PostgresReconnectingConnectionTest {

  @Test
  void exceptionFailsTheCallOnEveryThread() {
    Vertx vertx = TestVertx.create();
    try {
      Connections connections =
          new Connections(vertx, new PgConnectOptions(), new PostgresStoreOptions().limits());
      ReconnectingConnection connection = connections.add(SessionSettings.STATEMENTS);
      Future<Void> elsewhere = connection.call(PostgresReconnectingConnectionTest::broken);
      Future<Void> there =
          Future.future(
              told ->
                  connection
                      .context()
                      .runOnContext(
                          ignored ->
                              connection
                                  .call(PostgresReconnectingConnectionTest::broken)
                                  .onComplete(told)));

      assertThatThrownBy(() -> await(elsewhere)).hasMessage("broken");
      assertThatThrownBy(() -> await(there)).hasMessage("broken");
    } finally {
      await(vertx.close());
    }
  }

  private static Future<Void> broken() {
    throw new IllegalStateException("broken");
  }
}
