package dev.latchkey.store.postgres;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class LinkTest {

  @Test
  void whatAnActionThrowsFailsItWhereverItWasCalled() {
    Vertx vertx = TestVertx.create();
    try {
      Links links = new Links(vertx, new PgConnectOptions(), PostgresStoreOptions.defaults());
      Link link = links.onOwnLoop(Session.STATEMENTS);
      Future<Void> elsewhere = link.on(LinkTest::broken);
      Future<Void> there =
          Future.future(
              told ->
                  link.context()
                      .runOnContext(ignored -> link.on(LinkTest::broken).onComplete(told)));

      assertThatThrownBy(() -> StoreCalls.await(elsewhere)).hasMessage("broken");
      assertThatThrownBy(() -> StoreCalls.await(there)).hasMessage("broken");
    } finally {
      StoreCalls.await(vertx.close());
    }
  }

  @Test
  void oneThatCallsCanDoWithoutSaysNothingWhenItCannotBeMade() throws IOException {
    Vertx vertx = TestVertx.create();
    // Bound and not listening: nobody else gets it, and whoever connects is refused.
    try (Socket unused = new Socket();
        StoreLog log = new StoreLog()) {
      unused.bind(new InetSocketAddress("127.0.0.1", 0));
      int port = unused.getLocalPort();
      PgConnectOptions nobody = new PgConnectOptions().setHost("127.0.0.1").setPort(port);
      Links links = new Links(vertx, nobody, PostgresStoreOptions.defaults());
      Link optional = links.optional(links.ownLoop());
      assertThatThrownBy(() -> StoreCalls.await(optional.on(optional::ready)))
          .hasMessageContaining("cannot connect");
      assertThat(log.lines()).isEmpty();

      Link needed = links.onOwnLoop(Session.STATEMENTS);
      assertThatThrownBy(() -> StoreCalls.await(needed.on(needed::ready)))
          .hasMessageContaining("cannot connect");
      assertThat(log.lines()).singleElement(as(STRING)).contains("is lost");
    } finally {
      StoreCalls.await(vertx.close());
    }
  }

  private static Future<Void> broken() {
    throw new IllegalStateException("broken");
  }
}
