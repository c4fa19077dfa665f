package dev.latchkey.web.capture;

import static dev.latchkey.testing.Await.await;
import static dev.latchkey.web.capture.RecordingListener.NO_EXTRA;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.TimeoutHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Between capturing a response and sending it. */
class CapturingResponseTest {

  private CaptureServer server;

  @BeforeEach
  void start() {
    server = new CaptureServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Captures a response and delivers it. */
  private static RecordingListener capture(RoutingContext ctx) {
    CapturingResponse capturing = capturing(ctx);
    RecordingListener listener = RecordingListener.captured(it -> capturing.deliver(it, NO_EXTRA));
    capturing.begin(1 << 20, listener);
    return listener;
  }

  private ClientResponse response(HttpVersion version, int port) throws Exception {
    return await(ClientResponse.get(server.client(version), port, HttpMethod.POST, "/x"));
  }

  private static CapturingResponse capturing(RoutingContext ctx) {
    return CapturingResponse.of(ctx).orElseThrow();
  }

  @Test
  void absentWithoutTheCaptureRoute() throws Exception {
    int port =
        server.serve(
            router ->
                router
                    .route()
                    .handler(ctx -> ctx.end("present: " + CapturingResponse.of(ctx).isPresent())));
    assertThat(response(HttpVersion.HTTP_1_1, port).body()).isEqualTo("present: false");
  }

  /** Mounts a capture route on a sub-router. */
  private void captureBelow(Router router) {
    Router sub = Router.router(server.vertx);
    sub.route().handler(new CaptureRoute());
    sub.route().handler(ctx -> ctx.end("ran"));
    router.route("/x*").subRouter(sub);
  }

  @Test
  void captureRouteFailsBelowOtherRoutes() throws Exception {
    ClientResponse response = response(HttpVersion.HTTP_1_1, server.serve(this::captureBelow));
    assertThat(response.status()).isEqualTo(500);
    assertThat(response.body()).doesNotContain("ran");
  }

  @Test
  void secondCaptureRoutePasses() throws Exception {
    int port = server.captured(this::captureBelow);
    assertThat(response(HttpVersion.HTTP_1_1, port).body()).isEqualTo("ran");
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void failureAfterAPartialWriteGetsAnEmpty500(HttpVersion version) throws Exception {
    List<RecordingListener> listeners = new ArrayList<>();
    int port =
        server.capturedBy(
            ctx -> {
              listeners.add(capture(ctx));
              ctx.response().putHeader("X-Half", "1").setChunked(true).write("half");
              assertThat(ctx.response().headWritten()).isTrue();
              throw new IllegalStateException("half-way");
            });
    ClientResponse response = response(version, port);
    assertThat(response.status()).isEqualTo(500);
    assertThat(response.body()).isEmpty();
    assertThat(response.values("x-half")).isEmpty();
    assertThat(listeners.get(0).reports).containsExactly("captured 500 ");
  }

  @Test
  void failureHandlerCannotCompleteAPartialWrite() throws Exception {
    int port =
        server.captured(
            router ->
                router
                    .route()
                    .handler(
                        ctx -> {
                          capture(ctx);
                          ctx.response().setChunked(true).write("half");
                          ctx.fail(400);
                        })
                    .failureHandler(ctx -> ctx.response().end("fine")));
    ClientResponse response = response(HttpVersion.HTTP_1_1, port);
    assertThat(response.status()).isEqualTo(500);
    assertThat(response.body()).isEmpty();
  }

  @Test
  void responseAfterATimeoutIsRejected() throws Exception {
    CompletableFuture<String> late = new CompletableFuture<>();
    RecordingListener[] listener = new RecordingListener[1];
    int port =
        server.captured(
            router -> {
              router
                  .route()
                  .handler(
                      ctx -> {
                        CapturingResponse capturing = capturing(ctx);
                        listener[0] =
                            RecordingListener.captured(it -> respondLate(ctx, capturing, it, late));
                        capturing.begin(1000, listener[0]);
                        ctx.next();
                      });
              router.route().handler(TimeoutHandler.create(10));
              router.route().handler(ctx -> ctx.response().setStatusCode(201));
            });
    assertThat(response(HttpVersion.HTTP_1_1, port).status()).isEqualTo(503);
    assertThat(late.get(20, SECONDS)).contains("already");
    assertThat(listener[0].reports).containsExactly("captured 503 Service Unavailable");
  }

  private static void respondLate(
      RoutingContext ctx,
      CapturingResponse capturing,
      CapturedResponse response,
      CompletableFuture<String> late) {
    try {
      ctx.response().end("late");
      late.complete("taken");
    } catch (IllegalStateException e) {
      late.complete(e.getMessage());
    }
    capturing.deliver(response, NO_EXTRA);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void secondResponseReplacesADiscardedOne(HttpVersion version) throws Exception {
    List<String> endings = new ArrayList<>();
    int port =
        server.capturedBy(
            ctx -> {
              CapturingResponse capturing = capturing(ctx);
              ctx.response().putHeader("X-Before", "1");
              capturing.begin(
                  1000,
                  RecordingListener.captured(
                      it -> {
                        if (it.status() == 201) {
                          capturing.discard();
                          ctx.response().putHeader("X-B", "1").end("second");
                        } else {
                          capturing.deliver(it, NO_EXTRA);
                        }
                      }));
              ctx.response().addCookie(Cookie.cookie("dropped", "1"));
              ctx.response().putHeader("X-A", "1").setStatusCode(201).end("first");
              ctx.addEndHandler(done -> endings.add("end " + done.succeeded()));
            });
    ClientResponse response = response(version, port);
    assertThat(response.status()).isEqualTo(200);
    assertThat(response.body()).isEqualTo("second");
    assertThat(response.headers()).contains("x-before: 1", "x-b: 1").doesNotContain("x-a: 1");
    assertThat(response.values("set-cookie")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void anotherResponseReplacesTheCapturedOne(HttpVersion version) throws Exception {
    int port =
        server.capturedBy(
            ctx -> {
              CapturingResponse capturing = capturing(ctx);
              ctx.response().putHeader("X-Before", "1");
              capturing.begin(
                  1000,
                  RecordingListener.captured(
                      it -> {
                        capturing.end();
                        ctx.response().setStatusCode(503).end("problem");
                      }));
              ctx.response().addCookie(Cookie.cookie("dropped", "1"));
              ctx.response().putHeader("X-Before", "2").setChunked(true).write("a");
              ctx.response().putTrailer("X-T", "1").end("b");
            });
    ClientResponse response = response(version, port);
    assertThat(response.status()).isEqualTo(503);
    assertThat(response.body()).isEqualTo("problem");
    assertThat(response.headers()).containsExactly("x-before: 1", "content-length: 7");
  }

  @Test
  void callerCanGetAResponseWhileTheHandlerRuns() throws Exception {
    CompletableFuture<RoutingContext> running = new CompletableFuture<>();
    RecordingListener listener = RecordingListener.captured(it -> {});
    int port =
        server.capturedBy(
            ctx -> {
              CapturingResponse capturing = capturing(ctx);
              ctx.addHeadersEndHandler(v -> ctx.response().putHeader("X-End", "1"));
              capturing.begin(1000, listener);
              capturing.real().setStatusCode(503).end("too long");
              running.complete(ctx);
            });
    ClientResponse response = response(HttpVersion.HTTP_1_1, port);
    assertThat(response.status()).isEqualTo(503);
    assertThat(response.values("x-end")).containsExactly("1");
    running.get().response().setStatusCode(201).end("done");
    assertThat(listener.reports.poll(20, SECONDS)).isEqualTo("captured 201 done");
  }

  @Test
  void handlerDoesNotNoticeADisconnect() throws Exception {
    CompletableFuture<RoutingContext> running = new CompletableFuture<>();
    CompletableFuture<Void> gone = new CompletableFuture<>();
    CompletableFuture<Boolean> delivered = new CompletableFuture<>();
    List<String> heard = new ArrayList<>();
    CapturingResponse[] capturing = new CapturingResponse[1];
    RecordingListener listener =
        RecordingListener.captured(
            it ->
                capturing[0]
                    .deliver(it, NO_EXTRA)
                    .onComplete(sent -> delivered.complete(sent.succeeded())));
    int port =
        server.capturedBy(
            ctx -> {
              capturing[0] = capturing(ctx);
              capturing[0].real().closeHandler(v -> gone.complete(null));
              capturing[0].begin(1000, listener);
              ctx.response().exceptionHandler(e -> heard.add("exception"));
              ctx.response().closeHandler(v -> heard.add("close"));
              ctx.response().setChunked(true).write("a");
              running.complete(ctx);
            });
    NetClient client = server.vertx.createNetClient();
    NetSocket socket = await(client.connect(port, "127.0.0.1"));
    await(socket.write("POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"));
    HttpServerResponse response = running.get(20, SECONDS).response();
    await(socket.close());
    gone.get(20, SECONDS);
    assertThat(response.closed()).isFalse();
    assertThat(heard).isEmpty();
    response.end("b");
    assertThat(listener.reports.poll(20, SECONDS)).isEqualTo("captured 200 ab");
    assertThat(delivered.get(20, SECONDS)).isFalse();
    assertThat(heard).containsExactly("close");
    client.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void resetIsReportedAndKeepsTheConnection(HttpVersion version) throws Exception {
    RecordingListener[] listener = new RecordingListener[1];
    int port =
        server.capturedBy(
            ctx -> {
              CapturingResponse capturing = capturing(ctx);
              listener[0] =
                  RecordingListener.aborted(
                      () -> {
                        capturing.end();
                        ctx.response().setStatusCode(500).end();
                      });
              capturing.begin(1000, listener[0]);
              ctx.response().setChunked(true).write("a");
              ctx.response().reset(8);
            });
    assertThat(response(version, port).status()).isEqualTo(500);
    assertThat(listener[0].reports)
        .containsExactly("aborted the handler reset the response with code 8");
  }

  @Test
  void upgradeIsRejected() throws Exception {
    RecordingListener[] listener = new RecordingListener[1];
    int port =
        server.capturedBy(
            ctx -> {
              CapturingResponse capturing = capturing(ctx);
              listener[0] =
                  RecordingListener.aborted(
                      () -> {
                        capturing.end();
                        ctx.response().setStatusCode(500).end();
                      });
              capturing.begin(1000, listener[0]);
              ctx.request().toWebSocket().onFailure(ctx::fail);
            });
    assertThat(response(HttpVersion.HTTP_1_1, port).status()).isEqualTo(500);
    assertThat(listener[0].reports).hasSize(1);
  }

  @Test
  void concurrentWritesAreAllCaptured() throws Exception {
    int port =
        server.capturedBy(
            ctx -> {
              capture(ctx);
              ctx.response().setChunked(true);
              CountDownLatch left = new CountDownLatch(8);
              for (int i = 0; i < 8; i++) {
                new Thread(
                        () -> {
                          for (int j = 0; j < 1000; j++) {
                            ctx.response().write("ab");
                          }
                          left.countDown();
                          if (left.getCount() == 0) {
                            try {
                              ctx.response().end();
                            } catch (IllegalStateException e) {
                              // Another thread saw the count at zero too.
                              assertThat(e).hasMessageContaining("already");
                            }
                          }
                        })
                    .start();
              }
            });
    assertThat(response(HttpVersion.HTTP_1_1, port).body()).isEqualTo("ab".repeat(8000));
  }

  @Test
  void handlerCannotForgeAReplay() throws Exception {
    int port =
        server.capturedBy(
            ctx -> {
              capture(ctx);
              ctx.response().putHeader("Idempotent-Replayed", "true").end();
            });
    assertThat(response(HttpVersion.HTTP_1_1, port).values("idempotent-replayed")).isEmpty();
  }

  @Test
  void capturingBeginsOnce() throws Exception {
    int port =
        server.capturedBy(
            ctx -> {
              RecordingListener listener = capture(ctx);
              assertThatThrownBy(() -> capturing(ctx).begin(1000, listener))
                  .isInstanceOf(IllegalStateException.class);
              ctx.end("ok");
            });
    assertThat(response(HttpVersion.HTTP_1_1, port).body()).isEqualTo("ok");
  }
}
