package dev.latchkey.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.IdempotencyListener.Limit;
import dev.latchkey.core.NodeOptions;
import dev.latchkey.store.StoreFault;
import dev.latchkey.store.StoreOperation;
import dev.latchkey.testing.Await;
import io.vertx.core.Promise;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Limits on attempts and waiters, and the state of the key in 429 problems. */
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
  void tenantAboveItsShareOfAttemptsLeavesRoomForOthers() throws Exception {
    var options = new IdempotencyOptions().setScope(ctx -> ctx.request().getHeader("Tenant"));
    try (var app =
        new WebFixture(
            options,
            new NodeOptions().setMaxRunning(3).setMaxRunningPerTenant(2),
            ctx -> go.future().onComplete(v -> ctx.response().end("done")))) {
      var first = app.sendAsync(app.keyed("1", "{}").header("Tenant", "a"));
      var second = app.sendAsync(app.keyed("2", "{}").header("Tenant", "a"));
      Await.until("two attempts are running", () -> app.node.running() == 2);

      var above = app.send(app.keyed("3", "{}").header("Tenant", "a"));
      assertThat(above.statusCode()).isEqualTo(503);
      assertThat(above.body()).contains("overloaded", "\"retryable\":true");
      assertThat(app.limits).containsExactly(Limit.RUNNING_PER_TENANT);

      var other = app.sendAsync(app.keyed("1", "{}").header("Tenant", "b"));
      Await.until("three attempts are running", () -> app.node.running() == 3);
      assertThat(app.send(app.keyed("2", "{}").header("Tenant", "b")).statusCode()).isEqualTo(503);
      assertThat(app.limits).containsExactly(Limit.RUNNING_PER_TENANT, Limit.RUNNING);

      go.complete();
      for (var response : List.of(first, second, other)) {
        assertThat(response.get(20, TimeUnit.SECONDS).body()).isEqualTo("done");
      }
      Await.until("no attempt is running", () -> app.node.running() == 0);
      assertThat(app.send(app.keyed("3", "{}").header("Tenant", "a")).body()).isEqualTo("done");
    }
  }

  @Test
  void tenantAboveItsShareOfHeldBodiesLeavesRoomForOthers() throws Exception {
    var options = new IdempotencyOptions().setScope(ctx -> ctx.request().getHeader("Tenant"));
    try (var app =
        new WebFixture(
            options,
            new NodeOptions().setMaxRunningPerTenant(9).setMaxParkedBodyBytes(20),
            ctx -> go.future().onComplete(v -> ctx.response().end("done")))) {
      String body = "[1,2,3,4,5]";
      for (String tenant : List.of("a", "b")) {
        app.sendAsync(app.keyed("1", "[1,2]").header("Tenant", tenant));
        app.sendAsync(app.keyed("2", body).header("Tenant", tenant));
      }
      Await.until("four attempts are running", () -> app.node.running() == 4);
      assertThat(app.send(app.keyed("2", body).header("Tenant", "a")).statusCode()).isEqualTo(429);
      assertThat(app.limits).containsExactly(Limit.HELD_PER_TENANT);
      var parked = app.sendAsync(app.keyed("1", "[1,2]").header("Tenant", "b"));
      Await.until("a waiter is parked", () -> app.node.parked() == 1);
      go.complete();
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
