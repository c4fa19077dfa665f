package dev.latchkey.store.postgres;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.testing.TestVertx;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import org.junit.jupiter.api.Test;

class LinkTest {

  @Test
  void whatAnActionThrowsFailsItWhereverItWasCalled() {
    Vertx vertx = TestVertx.create();
    try {
      Links links = new Links(vertx, new PgConnectOptions(), new PostgresStoreOptions().limits());
      Link link = links.onOwnLoop(Session.STATEMENTS);
      Future<Void> elsewhere = link.on(LinkTest::broken);
      Future<Void> there =
          Future.future(
              told ->
                  link.context()
                      .runOnContext(ignored -> link.on(LinkTest::broken).onComplete(told)));

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
