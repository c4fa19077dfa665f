package dev.latchkey.service;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.psp.ForwardingPsp;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.PspResult;
import dev.latchkey.service.http.ConnectionLimits;
import dev.latchkey.testing.LogRecorder;
import dev.latchkey.testing.RawClient;
import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DrainTest {

  private static final long AMPLE_MILLIS = 15_000;
  private static final long SHORT_MILLIS = 300;

  /** Longer than what Netty writes together with the head, whose write ends one callback deeper. */
  private static final String LONG_ANSWER = "x".repeat(1_000);

  private static final String HELD = "GET /held HTTP/1.1\r\nHost: a\r\n\r\n";

  private final Promise<Void> release = Promise.promise();
  private final CountDownLatch arrived = new CountDownLatch(1);

  private TestService service() {
    return new TestService(
        ConnectionLimits.DEFAULT,
        router ->
            router
                .get("/held")
                .handler(
                    ctx -> {
                      arrived.countDown();
                      release.future().onSuccess(v -> ctx.end("the answer"));
                    }));
  }

  private void awaitArrival() throws InterruptedException {
    assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void closesIdleConnectionsAndRefusesNewOnes() {
    try (TestService service = service();
        RawClient silent = service.connect();
        RawClient idle = service.connect()) {
      idle.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n").readUntil("live\"}");
      assertThat(await(service.server.drain(AMPLE_MILLIS))).isTrue();
      assertThat(idle.readToEnd()).isEmpty();
      assertThat(silent.readToEnd()).isEmpty();
      assertThatThrownBy(service::connect).hasMessageContaining("refused");
    }
  }

  @Test
  void completesTheLastResponseAndRespondsToArrivingRequests() throws Exception {
    try (TestService service = service();
        RawClient client = service.connect()) {
      client.send(HELD + "GET /health/ready HTTP/1.1\r\nHost: a\r\n\r\n" + HELD);
      awaitArrival();
      Future<Boolean> drained = service.server.drain(AMPLE_MILLIS);
      assertThat(drained.isComplete()).isFalse();
      release.complete();
      String answers = client.readToEnd();
      assertThat(answers).startsWith("HTTP/1.1 200").contains("the answer");
      assertThat(answers).contains("HTTP/1.1 503", "/problems/shutting-down");
      assertThat(answers).containsIgnoringCase("connection: close");
      assertThat(await(drained)).isTrue();
    }
  }

  /** From deep within its callbacks Netty tells of a write only after who closes upon it. */
  @ParameterizedTest
  @ValueSource(ints = {0, 5, 6, 7, 8})
  void responseOnTheWireDoesNotCountAsCutOff(int depth) throws Exception {
    try (TestService service =
            new TestService(
                ConnectionLimits.DEFAULT,
                router -> router.get("/held").handler(ctx -> answerWithin(depth, ctx)));
        RawClient client = service.connect()) {
      client.send("GET /held HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      awaitArrival();
      Future<Boolean> drained = service.server.drain(AMPLE_MILLIS);
      release.complete();
      assertThat(client.readToEnd()).endsWith(LONG_ANSWER);
      assertThat(await(drained)).isTrue();
    }
  }

  private void answerWithin(int depth, RoutingContext ctx) {
    ContextInternal context = ContextInternal.current();
    release
        .future()
        .onSuccess(
            v ->
                context.runOnContext(
                    now -> within(depth, context.nettyEventLoop(), () -> ctx.end(LONG_ANSWER))));
    arrived.countDown();
  }

  private static void within(int callbacks, EventExecutor loop, Runnable action) {
    if (callbacks == 0) {
      action.run();
      return;
    }
    loop.<Void>newPromise()
        .addListener(done -> within(callbacks - 1, loop, action))
        .setSuccess(null);
  }

  @Test
  void answersNewHttp2StreamsWhileOneIsOwed() throws Exception {
    try (TestService service = service()) {
      HttpClient client = service.http2Client();
      Future<HttpClientResponse> held = get(client, service, "/held");
      awaitArrival();
      Future<Boolean> drained = service.server.drain(AMPLE_MILLIS);
      assertThat(await(get(client, service, "/health/ready")).statusCode()).isEqualTo(503);
      assertThat(await(get(client, service, "/v1/any")).statusCode()).isEqualTo(503);
      release.complete();
      Buffer body = await(held.compose(HttpClientResponse::body));
      assertThat(body.toString()).isEqualTo("the answer");
      assertThat(await(drained)).isTrue();
      await(client.close());
    }
  }

  @Test
  void requestsRefusedOnAKeyedRouteCountAsRejected() throws Exception {
    try (WholeService service = new WholeService(Held::new);
        RawClient client = new RawClient(service.server.port())) {
      client.send(
          payment("running") + payment("late") + "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
      awaitArrival();
      Future<Boolean> drained = service.server.drain(AMPLE_MILLIS);
      release.complete();
      assertThat(client.readToEnd())
          .startsWith("HTTP/1.1 201")
          .contains("/problems/shutting-down")
          .contains("latchkey_requests_total{outcome=\"executed\"} 1.0")
          .contains("latchkey_requests_total{outcome=\"rejected\"} 1.0");
      assertThat(await(drained)).isTrue();
    }
  }

  private static String payment(String key) {
    String body = "{\"amount\":1,\"currency\":\"EUR\",\"payment_method\":\"pm_card_visa\"}";
    return "POST /v1/payments HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
        + WholeService.ACME
        + "\r\nContent-Type: application/json\r\nIdempotency-Key: "
        + key
        + "\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  /** A PSP that says nothing before it is told to. */
  private final class Held extends ForwardingPsp {
    Held(PspGateway behind) {
      super(behind);
    }

    @Override
    protected Future<PspResult> call(Supplier<Future<PspResult>> asked) {
      arrived.countDown();
      return release.future().compose(v -> asked.get());
    }
  }

  @Test
  void reportsCutOffResponses() throws Exception {
    try (TestService service = service();
        RawClient client = service.connect()) {
      client.send(HELD);
      awaitArrival();
      assertThat(await(service.server.drain(SHORT_MILLIS))).isFalse();
      assertThat(client.readToEnd()).isEmpty();
    }
  }

  @Test
  void connectionResetByTheClientDoesNotCountAsCutOff() throws Exception {
    try (TestService service = service();
        RawClient client = service.connect()) {
      client.send(HELD);
      awaitArrival();
      Future<Boolean> drained = service.server.drain(AMPLE_MILLIS);
      client.reset();
      assertThat(await(drained)).isTrue();
    }
  }

  @Test
  void incompleteHeadIsClosedWithoutAResponse() {
    try (LogRecorder log = new LogRecorder()) {
      try (TestService service = service();
          RawClient client = service.connect()) {
        client
            .send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\nPOST /a HTTP/1.1\r\nHost: a\r\nHa")
            .readUntil("live\"}");
        assertThat(await(service.server.drain(AMPLE_MILLIS))).isTrue();
        assertThat(client.readToEnd()).isEmpty();
      }
      assertThat(log.lines()).noneMatch(line -> line.contains(" io.netty.channel"));
    }
  }

  private static Future<HttpClientResponse> get(
      HttpClient client, TestService service, String path) {
    return client
        .request(HttpMethod.GET, service.server.port(), "127.0.0.1", path)
        .compose(request -> request.send())
        .compose(response -> response.body().map(response));
  }
}
