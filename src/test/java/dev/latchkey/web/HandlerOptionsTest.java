package dev.latchkey.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.LostOwner;
import dev.latchkey.core.NodeOptions;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.testing.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Options of a handler, and what an application can do under a claim. */
class HandlerOptionsTest {

  private record Booking(String name) implements Effect {}

  private final AtomicInteger runs = new AtomicInteger();

  private void countRuns(RoutingContext ctx) {
    ctx.response().setStatusCode(201).end("run " + runs.incrementAndGet());
  }

  private static Optional<String> replayed(HttpResponse<?> response) {
    return response.headers().firstValue("Idempotent-Replayed");
  }

  @Test
  void requestWithoutAnOptionalKeyPasses() throws Exception {
    try (var app = new WebFixture(new IdempotencyOptions().setRequired(false), this::countRuns)) {
      assertThat(app.send(app.request("POST", "{}")).body()).isEqualTo("run 1");
      assertThat(app.send(app.request("POST", "{}")).body()).isEqualTo("run 2");
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("run 3");
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("run 3");
      assertThat(app.send(app.keyed("", "{}")).statusCode()).isEqualTo(400);
    }
  }

  @Test
  void onlyTheGivenMethodsAreProtected() throws Exception {
    var options = new IdempotencyOptions().setMethods(Set.of(HttpMethod.PUT));
    try (var app = new WebFixture(options, this::countRuns)) {
      assertThat(app.send(app.request("POST", "{}")).body()).isEqualTo("run 1");
      assertThat(app.send(app.request("PUT", "{}")).statusCode()).isEqualTo(400);
      var put = app.request("PUT", "{}").header("Idempotency-Key", "k");
      assertThat(app.send(put).body()).isEqualTo("run 2");
      assertThat(app.send(put).body()).isEqualTo("run 2");
    }
  }

  @Test
  void keyCanComeFromAnotherHeader() throws Exception {
    var options = new IdempotencyOptions().setKeySource(KeySource.header("PayPal-Request-Id"));
    try (var app = new WebFixture(options, this::countRuns)) {
      assertThat(app.send(app.keyed("k", "{}")).statusCode()).isEqualTo(400);
      var order = app.request("POST", "{}").header("PayPal-Request-Id", "k");
      assertThat(app.send(order).body()).isEqualTo("run 1");
      assertThat(app.send(order).body()).isEqualTo("run 1");
    }
  }

  @Test
  void keyCanComeFromTheBody() throws Exception {
    var options = new IdempotencyOptions().setKeySource(KeySource.bodyMember("request_id"));
    try (var app = new WebFixture(options, this::countRuns)) {
      var order = app.request("POST", "{\"request_id\":\"k\",\"n\":1}");
      assertThat(app.send(order).body()).isEqualTo("run 1");
      assertThat(replayed(app.send(order))).contains("true");
      var other = app.request("POST", "{\"request_id\":\"k\",\"n\":2}");
      assertThat(app.send(other).statusCode()).isEqualTo(422);
      assertThat(app.send(app.request("POST", "not json")).statusCode()).isEqualTo(400);
      assertThat(app.send(app.request("POST", "{}")).statusCode()).isEqualTo(400);
    }
  }

  @Test
  void tenantsHaveSeparateKeys() throws Exception {
    var options = new IdempotencyOptions().setScope(ctx -> ctx.request().getHeader("Tenant"));
    try (var app = new WebFixture(options, this::countRuns)) {
      var one = app.keyed("k", "{}").header("Tenant", "one");
      var two = app.keyed("k", "{}").header("Tenant", "two");
      assertThat(app.send(one).body()).isEqualTo("run 1");
      assertThat(app.send(two).body()).isEqualTo("run 2");
      assertThat(app.send(one).body()).isEqualTo("run 1");
    }
  }

  private HttpResponse<String> twice(ResponsePolicy policy, int status) throws Exception {
    runs.set(0);
    var options = new IdempotencyOptions().setResponsePolicy(policy);
    try (var app =
        new WebFixture(
            options,
            ctx -> ctx.response().setStatusCode(status).end("run " + runs.incrementAndGet()))) {
      app.send(app.keyed("k", "{}"));
      return app.send(app.keyed("k", "{}"));
    }
  }

  @Test
  void policyDecidesWhichResponsesAreStored() throws Exception {
    assertThat(replayed(twice(ResponsePolicy.finalResponses(), 402))).contains("true");
    assertThat(replayed(twice(ResponsePolicy.finalResponses(), 503))).isEmpty();
    assertThat(replayed(twice(ResponsePolicy.finalResponses(), 429))).isEmpty();
    assertThat(replayed(twice(ResponsePolicy.successesOnly(), 402))).isEmpty();
    assertThat(replayed(twice(ResponsePolicy.successesOnly(), 200))).contains("true");
    assertThat(replayed(twice(ResponsePolicy.everything(), 500))).contains("true");
    assertThat(runs).hasValue(1);
  }

  @Test
  void handlerCanPreventStoring() throws Exception {
    try (var app =
        new WebFixture(
            new IdempotencyOptions(),
            ctx -> {
              Idempotency.of(ctx).enlist(new Booking("b")).doNotKeep();
              countRuns(ctx);
            })) {
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("run 1");
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("run 2");
      assertThat(app.committed).isEmpty();
    }
  }

  @Test
  void handlerRespondsAgainAfterARefusedEffect() throws Exception {
    try (var app =
        new WebFixture(
            new IdempotencyOptions(),
            ctx -> {
              Idempotency claim = Idempotency.of(ctx);
              claim.onRefused(
                  refused -> {
                    claim.enlist(new Booking("second choice"));
                    ctx.response().setStatusCode(200).end("instead of " + refused.which());
                  });
              claim.enlist(new Booking("first choice"));
              ctx.response().setStatusCode(201).putHeader("X-First", "yes").end("first choice");
            })) {
      app.refused = Optional.of(new Booking("first choice"));
      HttpResponse<String> response = app.send(app.keyed("k", "{}"));
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(response.body()).isEqualTo("instead of first choice");
      assertThat(response.headers().firstValue("X-First")).isEmpty();
      assertThat(app.committed).containsExactly(new Booking("second choice"));
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo(response.body());
    }
  }

  @Test
  void tooManyRefusalsGetAttemptFailed() throws Exception {
    AtomicInteger refusals = new AtomicInteger();
    try (var app =
        new WebFixture(
            new IdempotencyOptions(),
            ctx -> {
              Idempotency claim = Idempotency.of(ctx);
              claim.onRefused(
                  refused -> {
                    refusals.incrementAndGet();
                    claim.enlist(new Booking("b"));
                    ctx.response().end("again");
                  });
              claim.enlist(new Booking("b"));
              ctx.response().end("first");
            })) {
      app.refused = Optional.of(new Booking("b"));
      HttpResponse<String> response = app.send(app.keyed("k", "{}"));
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(response.body()).contains("/problems/attempt-failed", "\"retryable\":true");
      assertThat(refusals).hasValue(Idempotency.MAX_REFUSALS);
      app.refused = Optional.empty();
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("first");
    }
  }

  @Test
  void nextAttemptGetsTheRecordedStep() throws Exception {
    List<String> steps = new ArrayList<>();
    try (var app =
        new WebFixture(
            new IdempotencyOptions(),
            ctx -> {
              Idempotency claim = Idempotency.of(ctx);
              steps.add("attempt " + claim.attempt() + " " + claim.downstreamKey("charge"));
              claim
                  .step(
                      "charge",
                      () -> {
                        steps.add("charged");
                        return Future.succeededFuture(Buffer.buffer("ch_1"));
                      })
                  .onSuccess(
                      charge -> {
                        int status = claim.attempt() == 1 ? 503 : 201;
                        ctx.response().setStatusCode(status).end(charge);
                      })
                  .onFailure(ctx::fail);
            })) {
      assertThat(app.send(app.keyed("k", "{}")).statusCode()).isEqualTo(503);
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("ch_1");
      String derived = steps.get(0).substring("attempt 1 ".length());
      assertThat(derived).hasSize(64);
      assertThat(steps).containsExactly("attempt 1 " + derived, "charged", "attempt 2 " + derived);
    }
  }

  @Test
  void keyOfALostOwnerIsReportedIfSoConfigured() throws Exception {
    List<Promise<Void>> held = new ArrayList<>();
    var options =
        new IdempotencyOptions()
            .setOnLostOwner(LostOwner.REPORT)
            .setLeaseMillis(200)
            .setRunLimitMillis(300);
    try (var app =
        new WebFixture(
            options,
            ctx -> {
              runs.incrementAndGet();
              Promise<Void> hold = Promise.promise();
              held.add(hold);
              hold.future().onComplete(v -> ctx.response().end());
            })) {
      assertThat(app.send(app.keyed("k", "{}")).body())
          .contains("/problems/attempt-unresolved", "\"retryable\":true", "\"state\":\"unknown\"");
      HttpResponse<String> retry = app.send(app.keyed("k", "{}"));
      assertThat(retry.statusCode()).isEqualTo(409);
      assertThat(retry.body()).contains("/problems/attempt-unresolved", "\"retryable\":false");
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void oversizedResponseReachesOnlyItsFirstCaller() throws Exception {
    Promise<Void> go = Promise.promise();
    var options = new IdempotencyOptions().setMaxResponseBytes(1_000);
    try (var app =
        new WebFixture(
            options,
            ctx -> {
              runs.incrementAndGet();
              Idempotency.of(ctx).enlist(new Booking("b"));
              go.future()
                  .onComplete(
                      v ->
                          ctx.response()
                              .setStatusCode(201)
                              .putHeader("Location", "/orders/7/export")
                              .end("x".repeat(5_000)));
            })) {
      CompletableFuture<HttpResponse<String>> first = app.sendAsync(app.keyed("k", "{}"));
      CompletableFuture<HttpResponse<String>> parked = app.sendAsync(app.keyed("k", "{}"));
      Await.until("a waiter is parked", () -> app.node.parked() > 0);
      go.complete();
      assertThat(List.of(first.get().statusCode(), parked.get().statusCode()))
          .containsExactlyInAnyOrder(201, 409);
      HttpResponse<String> retry = app.send(app.keyed("k", "{}"));
      assertThat(retry.statusCode()).isEqualTo(409);
      assertThat(retry.headers().firstValue("Location")).contains("/orders/7/export");
      assertThat(retry.body()).contains("/problems/response-not-retained", "\"completed\"");
      assertThat(runs).hasValue(1);
      assertThat(app.committed).containsExactly(new Booking("b"));
    }
  }

  @Test
  void parkingLimitsApplyPerKeyAndTenant() throws Exception {
    Promise<Void> go = Promise.promise();
    var limits = new NodeOptions().setMaxParked(5).setMaxParkedPerTenant(3).setMaxParkedPerKey(2);
    var options = new IdempotencyOptions().setScope(ctx -> ctx.request().getHeader("Tenant"));
    try (var app =
        new WebFixture(
            options,
            limits,
            ctx -> {
              runs.incrementAndGet();
              go.future().onComplete(v -> ctx.response().end("done"));
            })) {
      List<CompletableFuture<HttpResponse<String>>> waiting = new ArrayList<>();
      for (String call : List.of("a1", "a1", "a1", "a2", "a2", "b1", "b1", "b1")) {
        var request = app.keyed(call, "{}").header("Tenant", call.substring(0, 1));
        int before = app.node.parked() + runs.get();
        waiting.add(app.sendAsync(request));
        Await.until(
            "a waiter is parked or an attempt started",
            () -> app.node.parked() + runs.get() != before);
      }
      var overKey = app.send(app.keyed("a1", "{}").header("Tenant", "a"));
      assertThat(overKey.statusCode()).isEqualTo(429);
      assertThat(overKey.headers().firstValue("Retry-After")).isPresent();
      assertThat(overKey.body()).contains("too-many-waiting", "in_progress");
      assertThat(app.send(app.keyed("a2", "{}").header("Tenant", "a")).statusCode()).isEqualTo(429);
      assertThat(app.send(app.keyed("b1", "{}").header("Tenant", "b")).statusCode()).isEqualTo(429);
      go.complete();
      for (CompletableFuture<HttpResponse<String>> response : waiting) {
        assertThat(response.get().body()).isEqualTo("done");
      }
      assertThat(runs).hasValue(3);
    }
  }

  @Test
  void retentionShorterThanTheLeaseIsRejected() {
    var options = new IdempotencyOptions().setLeaseMillis(10).setRetentionMillis(9);
    assertThatThrownBy(() -> new WebFixture(options, this::countRuns))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("9 ms");
  }
}
