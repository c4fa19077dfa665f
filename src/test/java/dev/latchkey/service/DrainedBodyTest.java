package dev.latchkey.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.service.http.ConnectionLimits;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.RawClient;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.net.impl.ShutdownEvent;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of bodies that are not whole when the drain begins. */
class DrainedBodyTest {

  private static final long AMPLE_MILLIS = 15_000;
  private static final String POST = " HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab";
  private static final String REST = "cd";
  private static final String NEXT = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n";

  /** More than the buffers between a server and a client with little room. */
  private static final String LARGE = "x".repeat(16 << 20);

  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch draining = new CountDownLatch(1);
  private final CountDownLatch restRead = new CountDownLatch(1);
  private final Promise<Void> release = Promise.promise();
  private final AtomicInteger runs = new AtomicInteger();
  private final TestService service = new TestService(ConnectionLimits.DEFAULT, this::api);

  private void api(Router router) {
    router.get("/large").handler(ctx -> ctx.end(LARGE));
    router
        .get("/held")
        .handler(
            ctx -> {
              observe(ctx);
              release.future().onSuccess(v -> ctx.end("at last"));
            });
    router.post("/read").handler(this::read);
    router
        .post("/continue")
        .handler(
            ctx -> {
              ctx.response().writeContinue();
              read(ctx);
            });
    router
        .post("/stream")
        .handler(
            ctx -> {
              ctx.response().setChunked(true).write("begun ");
              read(ctx);
            });
  }

  private void read(RoutingContext ctx) {
    observe(ctx);
    ctx.request().body().onSuccess(v -> ctx.end("ran " + runs.incrementAndGet()));
  }

  private void observe(RoutingContext ctx) {
    if (ctx.request().connection() instanceof HttpServerConnection connection
        && ctx.request().version() == HttpVersion.HTTP_1_1) {
      connection.channelHandlerContext().pipeline().addFirst(new Observer());
    }
    arrived.countDown();
  }

  /** Tells what the handlers behind it have been through. */
  private final class Observer extends ChannelInboundHandlerAdapter {
    private final StringBuilder read = new StringBuilder();

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object bytes) throws Exception {
      read.append(((ByteBuf) bytes).toString(StandardCharsets.US_ASCII));
      super.channelRead(ctx, bytes);
      if (read.toString().endsWith(REST + NEXT)) {
        restRead.countDown();
      }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
      super.userEventTriggered(ctx, event);
      if (event instanceof ShutdownEvent) {
        draining.countDown();
      }
    }
  }

  @AfterEach
  void close() {
    service.close();
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
  }

  private Future<Boolean> drain() {
    return service.server.drain(AMPLE_MILLIS);
  }

  private static void assertShuttingDown(String answer) {
    assertThat(answer)
        .startsWith("HTTP/1.1 503")
        .contains("/problems/shutting-down")
        .containsIgnoringCase("connection: close")
        .containsOnlyOnce("HTTP/1.1");
  }

  @Test
  void requestGetsAResponse() throws Exception {
    try (RawClient client = service.connect()) {
      client.send("POST /read" + POST);
      await(arrived);

      Future<Boolean> drained = drain();

      assertShuttingDown(client.readToEnd());
      assertThat(Await.await(drained)).isTrue();
      assertThat(runs).hasValue(0);
    }
  }

  @Test
  void requestGetsAResponseAfter100Continue() throws Exception {
    try (RawClient client = service.connect()) {
      client.send("POST /continue" + POST);
      await(arrived);
      assertThat(client.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100");

      Future<Boolean> drained = drain();

      assertShuttingDown(client.readToEnd());
      assertThat(Await.await(drained)).isTrue();
      assertThat(runs).hasValue(0);
    }
  }

  @Test
  void restOfTheBodyIsDropped() throws Exception {
    try (RawClient client = RawClient.withSmallBuffer(service.server.port())) {
      // The refusal waits behind an answer that nobody reads, so the connection stays open.
      client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\nPOST /read" + POST);
      await(arrived);
      Future<Boolean> drained = drain();
      await(draining);

      client.send(REST + NEXT);
      await(restRead);

      assertThat(drained.isComplete()).isFalse();
      String answers = client.readToEnd();
      assertShuttingDown(answers.substring(answers.indexOf(LARGE) + LARGE.length()));
      assertThat(Await.await(drained)).isTrue();
      assertThat(runs).hasValue(0);
    }
  }

  @Test
  void bodyIsAwaitedIfTheResponseHasBegun() throws Exception {
    try (RawClient client = service.connect()) {
      client.send("POST /stream" + POST);
      await(arrived);
      Future<Boolean> drained = drain();
      await(draining);

      client.send(REST);

      assertThat(client.readToEnd()).startsWith("HTTP/1.1 200").contains("begun ", "ran 1");
      assertThat(Await.await(drained)).isTrue();
    }
  }

  @Test
  void pipelinedRequestIsRefusedInItsTurn() throws Exception {
    try (RawClient client = service.connect()) {
      client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\nPOST /read" + POST);
      await(arrived);
      Future<Boolean> drained = drain();
      await(draining);

      release.complete();

      String answers = client.readToEnd();
      assertThat(answers).startsWith("HTTP/1.1 200").contains("at lastHTTP");
      assertShuttingDown(answers.substring(answers.lastIndexOf("HTTP/1.1")));
      assertThat(Await.await(drained)).isTrue();
      assertThat(runs).hasValue(0);
    }
  }

  @Test
  void streamIsRefused() throws Exception {
    HttpClient client = service.http2Client();
    Future<HttpClientResponse> answer =
        client
            .request(HttpMethod.POST, service.server.port(), "127.0.0.1", "/read")
            .compose(
                request -> {
                  request.setChunked(true).write("ab");
                  return request.response();
                });
    await(arrived);

    assertThat(Await.await(drain())).isTrue();

    assertThatThrownBy(() -> Await.await(answer)).hasStackTraceContaining("reset: 7");
    assertThat(runs).hasValue(0);
    client.close();
  }
}
