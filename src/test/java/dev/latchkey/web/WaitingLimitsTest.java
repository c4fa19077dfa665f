package dev.latchkey.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.NodeOptions;
import dev.latchkey.store.StoreFault;
import dev.latchkey.store.StoreOperation;
import dev.latchkey.testing.Await;
import io.vertx.core.Promise;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The state of the key in 429 problems. */
@Timeout(60)
class WaitingLimitsTest {

  private final Promise<Void> go = Promise.promise();

  private WebFixture application() {
    return new WebFixture(
        new IdempotencyOptions(),
        new NodeOptions().setMaxParkedPerKey(1),
        ctx -> go.future().onComplete(v -> ctx.response().end("done")));
  }

  @Test
  void stateIsUnknownWhileTheClaimIsPending() throws Exception {
    try (var app = application()) {
      app.store.script(StoreOperation.CLAIM, StoreFault.HOLD_BEFORE);
      var first = app.sendAsync(app.keyed("k", "{}"));
      Await.until("the store holds a call", () -> app.store.held() == 1);
      var parked = app.sendAsync(app.keyed("k", "{}"));
      Await.until("a waiter is parked", () -> app.node.parked() == 1);

      assertThat(app.send(app.keyed("k", "{}")).body())
          .contains("too-many-waiting", "\"state\":\"unknown\"", "\"retryable\":true");

      go.complete();
      app.store.releaseHeld();
      assertThat(first.get(20, TimeUnit.SECONDS).body()).isEqualTo("done");
      assertThat(parked.get(20, TimeUnit.SECONDS).body()).isEqualTo("done");
    }
  }

  @Test
  void stateIsInProgressWhileTheClaimIsHeld() throws Exception {
    try (var app = application()) {
      var first = app.sendAsync(app.keyed("k", "{}"));
      Await.until("an attempt is running", () -> app.node.running() == 1);
      var parked = app.sendAsync(app.keyed("k", "{}"));
      Await.until("a waiter is parked", () -> app.node.parked() == 1);

      assertThat(app.send(app.keyed("k", "{}")).body())
          .contains("too-many-waiting", "\"state\":\"in_progress\"", "\"retryable\":true");

      go.complete();
      assertThat(first.get(20, TimeUnit.SECONDS).body()).isEqualTo("done");
      assertThat(parked.get(20, TimeUnit.SECONDS).body()).isEqualTo("done");
    }
  }
}
