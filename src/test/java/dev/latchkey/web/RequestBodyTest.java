package dev.latchkey.web;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.core.NodeOptions;
import dev.latchkey.json.MalformedJsonException;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.impl.RoutingContextInternal;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A body that cannot be compared with that of a retry is rejected, never taken for none. */
class RequestBodyTest {

  private static final String PARTS =
      "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n";

  private final AtomicInteger runs = new AtomicInteger();
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

  private WebFixture app(Handler<RoutingContext> reader, Handler<RoutingContext> checked) {
    return new WebFixture(
        new NodeOptions(),
        (router, app) -> {
          var handler =
              IdempotencyHandler.create(app.node, new IdempotencyOptions().singleTenant());
          router
              .route("/orders/:id")
              .handler(handler.keyCheck())
              .handler(reader)
              .handler(checked)
              .handler(handler)
              .handler(ctx -> ctx.end("run " + runs.incrementAndGet() + ctx.body().asString()))
              .failureHandler(
                  ctx -> {
                    failure.complete(ctx.failure());
                    ctx.next();
                  });
        });
  }

  private WebFixture app(Handler<RoutingContext> reader) {
    return app(reader, RoutingContext::next);
  }

  private String failureMessage() throws Exception {
    return failure.get(20, TimeUnit.SECONDS).getMessage();
  }

  @ParameterizedTest
  @ValueSource(strings = {"multipart/form-data; boundary=b", "Multipart/Mixed; boundary=b"})
  void multipartBodyGets415(String type) throws Exception {
    try (var app = app(BodyHandler.create(false))) {
      HttpResponse<String> response =
          app.send(app.keyed("k", PARTS).setHeader("Content-Type", type));
      assertThat(response.statusCode()).isEqualTo(415);
      assertThat(response.body()).contains("/problems/unsupported-media-type", "multipart");
      assertThat(runs).hasValue(0);
      assertThat(await(app.node.records("default", "k"))).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void bodyThatAHandlerConsumedBeforeIsAnError(HttpClient.Version version) throws Exception {
    try (var app = app(ctx -> ctx.request().body().onComplete(body -> ctx.next()))) {
      assertThat(app.send(app.keyed("k", "{}").version(version)).statusCode()).isEqualTo(500);
      assertThat(failureMessage()).contains("consumed the request body");
      assertThat(runs).hasValue(0);
    }
  }

  @Test
  void bodyThatNobodyReadIsAnError() throws Exception {
    try (var app = app(RoutingContext::next)) {
      assertThat(app.send(app.keyed("k", "x".repeat(100_000))).statusCode()).isEqualTo(500);
      assertThat(failureMessage()).contains("BodyHandler before the IdempotencyHandler");
      assertThat(runs).hasValue(0);
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void requestWithoutABodyNeedsNoBodyHandler(HttpClient.Version version) throws Exception {
    try (var app = app(ctx -> ctx.request().end().onComplete(v -> ctx.next()))) {
      var request = app.keyed("k", "").version(version).method("POST", BodyPublishers.noBody());
      assertThat(app.send(request).body()).startsWith("run 1");
      assertThat(app.send(request).body()).startsWith("run 1");
    }
  }

  @Test
  void formBodyIsComparedAsSent() throws Exception {
    try (var app = app(BodyHandler.create(false))) {
      String form = "application/x-www-form-urlencoded";
      assertThat(app.send(app.keyed("k", "a=1").setHeader("Content-Type", form)).body())
          .isEqualTo("run 1a=1");
      assertThat(app.send(app.keyed("k", "a=2").setHeader("Content-Type", form)).statusCode())
          .isEqualTo(422);
    }
  }

  @Test
  void keyCheckMountsBeforeTheBodyHandlerAndRejectsBeforeTheBodyIsRead() throws Exception {
    try (var app = app(BodyHandler.create(false).setBodyLimit(10))) {
      String large = "x".repeat(100);
      assertThat(app.send(app.request("POST", large)).statusCode()).isEqualTo(400);
      assertThat(app.send(app.keyed("k", large)).statusCode()).isEqualTo(413);
    }
  }

  @Test
  void applicationAndHandlerShareOneParse() throws Exception {
    AtomicReference<Object> first = new AtomicReference<>();
    AtomicReference<Object> second = new AtomicReference<>();
    try (var app =
        app(
            BodyHandler.create(false),
            ctx -> {
              first.set(json(ctx, 64));
              second.set(json(ctx, 64));
              assertThat(json(ctx, 63)).isNotSameAs(first.get());
              ctx.next();
            })) {
      assertThat(app.send(jsonOrder(app, "{\"a\":1}")).statusCode()).isEqualTo(200);
      assertThat(second.get()).isNotNull().isSameAs(first.get());
      assertThat(app.send(jsonOrder(app, "{ \"a\": 1.0 }")).body()).startsWith("run 1");
      assertThat(app.send(jsonOrder(app, "{\"a\":2}")).statusCode()).isEqualTo(422);
    }
  }

  @Test
  void bodyThatAnEarlierHandlerReplacedIsParsedAgain() throws Exception {
    try (var app =
        app(
            BodyHandler.create(false),
            ctx -> {
              json(ctx, 64);
              ((RoutingContextInternal) ctx).setBody(Buffer.buffer("{\"b\":1}"));
              assertThat(json(ctx, 64).has("b")).isTrue();
              ctx.next();
            })) {
      assertThat(app.send(jsonOrder(app, "{\"a\":1}")).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void malformedJsonGets400AndTakesNoKey() throws Exception {
    try (var app = app(BodyHandler.create(false))) {
      HttpResponse<String> response = app.send(jsonOrder(app, "{\"a\":[1,\"\\u0000\"]}"));
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(response.body()).contains("/problems/invalid-request", "\"/a/1\"");
      assertThat(app.send(jsonOrder(app, "{")).statusCode()).isEqualTo(400);
      assertThat(app.send(jsonOrder(app, "{}")).statusCode()).isEqualTo(200);
    }
  }

  private static HttpRequest.Builder jsonOrder(WebFixture app, String body) {
    return app.keyed("k", body).setHeader("Content-Type", "application/json");
  }

  private static JsonNode json(RoutingContext ctx, int maxDepth) {
    try {
      return JsonBody.parse(ctx, maxDepth);
    } catch (MalformedJsonException e) {
      throw new AssertionError(e.detail(), e);
    }
  }
}
