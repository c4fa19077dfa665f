package dev.latchkey.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.NodeOptions;
import dev.latchkey.testing.Await;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.TimeoutHandler;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses made from outside a handler that still runs. */
@Timeout(60)
class TimeoutTest {

  private final AtomicInteger runs = new AtomicInteger();
  private final Promise<Buffer> work = Promise.promise();

  private WebFixture withTimeoutHandler(Handler<RoutingContext> handler, boolean before) {
    return new WebFixture(
        new NodeOptions(),
        (router, app) -> {
          if (before) {
            router.route().handler(TimeoutHandler.create(100));
          }
          router.route().handler(BodyHandler.create(false));
          router
              .route("/orders/:id")
              .handler(
                  IdempotencyHandler.create(app.node, new IdempotencyOptions().singleTenant()));
          if (!before) {
            router.route().handler(TimeoutHandler.create(100));
          }
          router.route("/orders/:id").handler(handler);
        });
  }

  private void respondAfterWork(RoutingContext ctx) {
    runs.incrementAndGet();
    work.future().onSuccess(it -> ctx.response().setStatusCode(201).end(it));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keyIsNotReleasedByATimeoutHandler(boolean before) throws Exception {
    try (var app = withTimeoutHandler(this::respondAfterWork, before)) {
      assertThat(app.send(app.keyed("k", "{}")).body())
          .contains("attempt-unresolved", "\"state\":\"unknown\"", "\"retryable\":true");
      assertThat(app.send(app.keyed("k", "{}").header("Prefer", "wait=0")).statusCode())
          .isEqualTo(409);
      work.complete(Buffer.buffer("done"));
      Await.until("no attempt is running", () -> app.node.running() == 0);
      var retry = app.send(app.keyed("k", "{}"));
      assertThat(retry.statusCode()).isEqualTo(201);
      assertThat(retry.body()).isEqualTo("done");
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void keyIsReleasedOnceTheRunningStepOfAFailedRequestHasEnded() throws Exception {
    try (var app =
        new WebFixture(
            new IdempotencyOptions(),
            ctx -> {
              if (runs.incrementAndGet() > 1) {
                ctx.response().setStatusCode(201).end("second");
                return;
              }
              Idempotency.of(ctx).step("charge", work::future);
              ctx.fail(503);
            })) {
      assertThat(app.send(app.keyed("k", "{}")).body()).contains("attempt-unresolved");
      assertThat(app.send(app.keyed("k", "{}").header("Prefer", "wait=0")).statusCode())
          .isEqualTo(409);
      assertThat(runs).hasValue(1);
      work.complete(Buffer.buffer("done"));
      Await.until("no attempt is running", () -> app.node.running() == 0);
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("second");
    }
  }

  @Test
  void handlerThatRespondsAfterItsStepIsStoredInSpiteOfTheFailure() throws Exception {
    try (var app =
        new WebFixture(
            new IdempotencyOptions(),
            ctx -> {
              runs.incrementAndGet();
              Idempotency.of(ctx)
                  .step("charge", work::future)
                  .onSuccess(it -> ctx.response().setStatusCode(201).end(it));
              ctx.fail(503);
            })) {
      assertThat(app.send(app.keyed("k", "{}")).body()).contains("attempt-unresolved");
      work.complete(Buffer.buffer("done"));
      Await.until("no attempt is running", () -> app.node.running() == 0);
      assertThat(app.send(app.keyed("k", "{}")).body()).isEqualTo("done");
      assertThat(runs).hasValue(1);
    }
  }
}
