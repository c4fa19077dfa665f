package dev.latchkey.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.IdempotencyListener.Outcome;
import dev.latchkey.core.NodeOptions;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.store.StoreFault;
import dev.latchkey.store.StoreOperation;
import dev.latchkey.testing.Await;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications that throw, change threads or respond late. */
@Timeout(60)
class HandlerFaultsTest {

  private static final String SMALL = "x";
  private static final String LARGE = "a response that is too large to store";

  private record Booking(String name) implements Effect {}

  private static IdempotencyOptions keepingSmall() {
    return new IdempotencyOptions().setMaxResponseBytes(SMALL.length());
  }

  private static void awaitIdle(WebFixture app) {
    Await.until("no attempt is running", () -> app.node.running() == 0);
  }

  @Test
  void throwingPolicyFailsTheAttempt() throws Exception {
    ResponsePolicy broken =
        status -> {
          throw new IllegalStateException("broken policy");
        };
    var options = new IdempotencyOptions().setResponsePolicy(broken);
    try (var app =
        new WebFixture(
            options,
            ctx -> {
              Idempotency.of(ctx).enlist(new Booking("b"));
              ctx.response().setStatusCode(201).end("booked");
            })) {
      var response = app.sendAsync(app.keyed("k", "{}")).get(20, TimeUnit.SECONDS);
      assertThat(response.statusCode()).isEqualTo(500);
      assertThat(response.body()).contains("internal-error", "\"state\":\"unknown\"");
      assertThat(app.committed).isEmpty();
      awaitIdle(app);
      assertThat(app.outcomes).containsExactly(Outcome.FAILED);
    }
  }

  @Test
  void responseAfterARefusedEffectIsStoredThoughTheClientGotAnother() throws Exception {
    try (var app =
        new WebFixture(
            new IdempotencyOptions(),
            new NodeOptions().setStoreTimeoutMillis(50),
            ctx -> {
              Idempotency claim = Idempotency.of(ctx);
              claim.onRefused(
                  refused -> ctx.response().setStatusCode(409).end("no " + refused.which()));
              claim.enlist(new Booking("b"));
              ctx.response().setStatusCode(201).end("booked");
            })) {
      app.refused = Optional.of(new Booking("b"));
      app.store.script(StoreOperation.COMPLETE, StoreFault.SILENT_BEFORE);
      HttpResponse<String> first = app.send(app.keyed("k", "{}"));
      assertThat(first.statusCode()).isEqualTo(503);
      awaitIdle(app);
      HttpResponse<String> retry = app.send(app.keyed("k", "{}"));
      assertThat(retry.statusCode()).isEqualTo(409);
      assertThat(retry.body()).startsWith("no ");
      assertThat(retry.headers().firstValue("Idempotent-Replayed")).contains("true");
    }
  }

  @Test
  void replacedResponseLeavesItsCookiesBehind() throws Exception {
    var options =
        new IdempotencyOptions()
            .setResponsePolicy(
                status -> {
                  throw new IllegalStateException("undecided");
                });
    try (var app =
        new WebFixture(
            options,
            ctx -> {
              ctx.response().addCookie(Cookie.cookie("session", "secret"));
              ctx.response().removeCookie("basket");
              ctx.response().end("never sent");
            })) {
      HttpResponse<String> response = app.send(app.keyed("k", "{}").header("Cookie", "basket=1"));
      assertThat(response.statusCode()).isEqualTo(500);
      assertThat(response.headers().allValues("Set-Cookie")).isEmpty();
    }
  }

  @Test
  void pipeOfARefusedResponseWritesNothingIntoTheNext() throws Exception {
    Promise<Void> rest = Promise.promise();
    try (var app =
        new WebFixture(
            keepingSmall(),
            ctx -> {
              Idempotency claim = Idempotency.of(ctx);
              HttpServerResponse piped = ctx.response().setChunked(true);
              claim.onRefused(
                  refused -> {
                    ctx.response().setChunked(true).write("n");
                    rest.complete();
                    ctx.response().write(LARGE);
                    ctx.response().end();
                  });
              claim.enlist(new Booking("b"));
              rest.future()
                  .onComplete(
                      v -> {
                        piped.write(SMALL);
                        piped.end(SMALL);
                      });
              piped.write(LARGE);
            })) {
      app.refused = Optional.of(new Booking("b"));
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("n" + LARGE);
      assertThat(app.send(app.keyed("k", "{}")).body()).contains("response-not-retained");
    }
  }

  private static void takeAStep(RoutingContext ctx) {
    Idempotency.of(ctx)
        .step("one", () -> Future.succeededFuture(Buffer.buffer("done")))
        .onSuccess(done -> ctx.response().setStatusCode(201).end(done))
        .onFailure(ctx::fail);
  }

  @Test
  void stepThatCannotBeRecordedGetsStoreUnavailable() throws Exception {
    try (var app = new WebFixture(new IdempotencyOptions(), HandlerFaultsTest::takeAStep)) {
      app.store.script(StoreOperation.RECORD_STEP, StoreFault.FAIL_BEFORE);
      HttpResponse<String> first = app.send(app.keyed("k", "{}"));
      assertThat(first.statusCode()).isEqualTo(503);
      assertThat(first.body())
          .contains("store-unavailable", "\"state\":\"unknown\"", "\"retryable\":true");
      assertThat(app.send(app.keyed("k", "{}")).statusCode()).isEqualTo(201);
      assertThat(app.outcomes).containsExactly(Outcome.FAILED, Outcome.EXECUTED);
    }
  }

  /** Completes when both the future and the end handler of a response were called. */
  private static final class Ends {
    private final CompletableFuture<Void> sent = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    void end(RoutingContext ctx, int status, String body) {
      ctx.response().endHandler(v -> ended.complete(null));
      ctx.response().setStatusCode(status).end(body).onComplete(it -> sent.complete(null));
    }

    void await() throws Exception {
      CompletableFuture.allOf(sent, ended).get(20, TimeUnit.SECONDS);
    }
  }

  @ParameterizedTest
  @CsvSource({SMALL + ", 201", LARGE + ", 409"})
  void responseAfterTheRunLimitEndsForItsWriter(String body, int retried) throws Exception {
    Promise<Void> go = Promise.promise();
    Ends ends = new Ends();
    var options = keepingSmall().setLeaseMillis(5_000).setRunLimitMillis(50);
    try (var app =
        new WebFixture(options, ctx -> go.future().onComplete(v -> ends.end(ctx, 201, body)))) {
      assertThat(app.send(app.keyed("k", "{}")).body()).contains("attempt-unresolved");
      go.complete();
      ends.await();
      awaitIdle(app);
      assertThat(app.send(app.keyed("k", "{}")).statusCode()).isEqualTo(retried);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {SMALL, LARGE})
  void responseOfUnknownCommitEndsForItsWriter(String body) throws Exception {
    Ends ends = new Ends();
    try (var app =
        new WebFixture(
            keepingSmall(),
            new NodeOptions().setStoreTimeoutMillis(50),
            ctx -> ends.end(ctx, 201, body))) {
      app.store.script(StoreOperation.COMPLETE, StoreFault.SILENT_BEFORE);
      assertThat(app.send(app.keyed("k", "{}")).body()).contains("store-unavailable");
      ends.await();
      awaitIdle(app);
    }
  }

  @Test
  void responseReplacedByStoreUnavailableEndsForItsWriter() throws Exception {
    Ends ends = new Ends();
    try (var app = new WebFixture(new IdempotencyOptions(), HandlerFaultsTest::takeAStep)) {
      app.failure = ctx -> ends.end(ctx, 500, SMALL);
      app.store.script(StoreOperation.RECORD_STEP, StoreFault.FAIL_BEFORE);
      assertThat(app.send(app.keyed("k", "{}")).body()).contains("store-unavailable");
      ends.await();
      awaitIdle(app);
    }
  }

  @Test
  void stepResultArrivesOnTheRequestsContext() throws Exception {
    CompletableFuture<Boolean> onContext = new CompletableFuture<>();
    try (var app =
        new WebFixture(
            new IdempotencyOptions(),
            ctx -> {
              var context = Vertx.currentContext();
              Promise<Buffer> work = Promise.promise();
              Idempotency.of(ctx)
                  .step("charge", work::future)
                  .onComplete(
                      done -> {
                        onContext.complete(Vertx.currentContext() == context);
                        ctx.response().end(done.result());
                      });
              new Thread(() -> work.complete(Buffer.buffer("ch_1"))).start();
            })) {
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("ch_1");
      assertThat(onContext.get(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void stepWithoutAResultFails() throws Exception {
    try (var app =
        new WebFixture(
            new IdempotencyOptions(),
            ctx ->
                Idempotency.of(ctx)
                    .step("charge", () -> Future.succeededFuture(null))
                    .onSuccess(done -> ctx.response().end("done"))
                    .onFailure(ctx::fail))) {
      assertThat(app.send(app.keyed("k", "{}")).statusCode()).isEqualTo(500);
      awaitIdle(app);
    }
  }

  @Test
  void requestFromAnotherThreadIsExecuted() throws Exception {
    try (var app = new WebFixture(new IdempotencyOptions(), ctx -> ctx.response().end("served"))) {
      app.before = ctx -> new Thread(ctx::next).start();
      var response = app.sendAsync(app.keyed("k", "{}")).get(20, TimeUnit.SECONDS);
      assertThat(response.body()).isEqualTo("served");
      awaitIdle(app);
    }
  }

  @Test
  void unknownOutcomeIsNeverReportedAsCompleted() throws Exception {
    Promise<Void> go = Promise.promise();
    var options =
        new IdempotencyOptions()
            .setResponsePolicy(ResponsePolicy.everything())
            .setLeaseMillis(5_000)
            .setRunLimitMillis(50);
    try (var app =
        new WebFixture(
            options, ctx -> go.future().onComplete(v -> ctx.response().end("at last")))) {
      assertThat(app.send(app.keyed("k", "{}")).body())
          .contains("attempt-unresolved", "\"state\":\"unknown\"", "\"retryable\":true");
      go.complete();
      awaitIdle(app);
    }
  }

  @Test
  void problemThatIsNotStoredHasStateUnknown() throws Exception {
    try (var app =
        new WebFixture(
            new IdempotencyOptions(),
            ctx -> {
              Idempotency.of(ctx).doNotKeep();
              Problem.of(409, "busy", "Busy", "Try again.").retryable(true).send(ctx);
            })) {
      assertThat(app.send(app.keyed("k", "{}")).body())
          .contains("\"state\":\"unknown\"", "\"retryable\":true");
    }
  }

  @ParameterizedTest
  @CsvSource({"409, true, 1", "409, false, ''", "429, false, 1", "503, true, 1", "402, true, 1"})
  void retryAfterIsSentWhereARetryMayHelp(int status, boolean retryable, String retryAfter)
      throws Exception {
    try (var app =
        new WebFixture(
            new IdempotencyOptions(),
            ctx -> {
              Idempotency.of(ctx).doNotKeep();
              Problem problem = Problem.of(status, "busy", "Busy", "Try again.");
              (retryable ? problem : problem.retryAfterSeconds(1)).retryable(retryable).send(ctx);
            })) {
      assertThat(app.send(app.keyed("k", "{}")).headers().firstValue("Retry-After").orElse(""))
          .isEqualTo(retryAfter);
    }
  }

  /** Sends a request and waits until its handler runs. */
  private static CompletableFuture<HttpResponse<String>> running(WebFixture app) {
    var response = app.sendAsync(app.keyed("k", "{}"));
    Await.until("an attempt is running", () -> app.node.running() > 0);
    return response;
  }

  /** Sends the same request and waits until it is parked. */
  private static CompletableFuture<HttpResponse<String>> parked(WebFixture app) {
    var response = app.sendAsync(app.keyed("k", "{}"));
    Await.until("a waiter is parked", () -> app.node.parked() > 0);
    return response;
  }

  @Test
  void executionThatEndsAfterCloseGetsItsResponse() throws Exception {
    Promise<Void> go = Promise.promise();
    try (var app =
        new WebFixture(
            new IdempotencyOptions(),
            ctx -> go.future().onComplete(v -> ctx.response().end("done")))) {
      var first = running(app);
      parked(app);
      app.node.close();
      go.complete();
      assertThat(first.get(20, TimeUnit.SECONDS).body()).isEqualTo("done");
      awaitIdle(app);
    }
  }

  @Test
  void parkedCallerWithAnotherResponseIsUnparked() throws Exception {
    Promise<Void> go = Promise.promise();
    Promise<Void> somebodyElse = Promise.promise();
    try (var app =
        new WebFixture(
            new IdempotencyOptions(),
            ctx -> go.future().onComplete(v -> ctx.response().end("done")))) {
      var first = running(app);
      app.before =
          ctx -> {
            somebodyElse.future().onComplete(v -> ctx.fail(503));
            ctx.next();
          };
      var parked = parked(app);
      app.vertx.runOnContext(v -> somebodyElse.complete());
      assertThat(parked.get(20, TimeUnit.SECONDS).statusCode()).isEqualTo(503);
      Await.until("no waiter is parked", () -> app.node.parked() == 0);
      go.complete();
      assertThat(first.get(20, TimeUnit.SECONDS).body()).isEqualTo("done");
      awaitIdle(app);
      assertThat(app.outcomes).containsExactly(Outcome.FAILED, Outcome.EXECUTED);
    }
  }
}
