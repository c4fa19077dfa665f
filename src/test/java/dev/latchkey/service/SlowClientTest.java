package dev.latchkey.service;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.service.http.ConnectionLimits;
import dev.latchkey.testing.RawClient;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.StreamResetException;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlowClientTest {

  private static final ConnectionLimits TINY = TestService.limits(500, 500);
  private static final int MANY_LIMITS_MILLIS = 2_500;

  private static final int MAX_ATTEMPTS = 20;

  private final AtomicBoolean asked = new AtomicBoolean();

  private static void api(Router router) {
    router.post("/echo").handler(BodyHandler.create(false)).handler(ctx -> ctx.end("whole"));
    router
        .get("/patient")
        .handler(ctx -> ctx.vertx().setTimer(MANY_LIMITS_MILLIS, t -> ctx.end("at last")));
  }

  /** Answers with more than the two ends of a connection hold, and tells when one is closed. */
  private static void large(Router router, CountDownLatch closed) {
    router
        .get("/large")
        .handler(
            ctx -> {
              ctx.request().connection().closeHandler(v -> closed.countDown());
              ctx.end(Buffer.buffer(new byte[32 << 20]));
            });
  }

  private void noting(Router router) {
    router
        .route()
        .handler(
            ctx -> {
              asked.set(true);
              ctx.next();
            });
  }

  /** Asks again where a stalled machine was idle for too long before the request came. */
  private <T> T ask(Supplier<Future<T>> call) {
    for (int attempt = 1; ; attempt++) {
      try {
        return await(call.get());
      } catch (AssertionError cut) {
        if (asked.get() || attempt == MAX_ATTEMPTS) {
          throw cut;
        }
      }
    }
  }

  @Test
  void cutsAClientThatSendsNothing() {
    try (TestService service = new TestService(TINY, SlowClientTest::api);
        RawClient client = service.connect()) {
      assertThat(client.readToEnd()).isEmpty();
    }
  }

  @Test
  void cutsAClientThatNeverFinishesItsHeader() {
    try (TestService service = new TestService(TINY, SlowClientTest::api);
        RawClient client = service.connect()) {
      assertThat(client.send("GET /patient HTTP/1.1\r\nHost: a\r\nX-Slow:").readToEnd()).isEmpty();
    }
  }

  @Test
  void cutsAClientThatNeverFinishesItsBody() {
    try (TestService service = new TestService(TINY, SlowClientTest::api);
        RawClient client = service.connect()) {
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
      assertThat(client.readToEnd()).isEmpty();
    }
  }

  @Test
  void cutsAClientThatIsIdleAfterItsResponse() {
    try (TestService service = new TestService(TINY, SlowClientTest::api);
        RawClient client = service.connect()) {
      client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc");
      assertThat(client.readToEnd()).startsWith("HTTP/1.1 200").endsWith("whole");
    }
  }

  @Test
  void cutsAClientThatDoesNotReadItsResponse() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    try (TestService service = new TestService(TINY, router -> large(router, closed));
        RawClient client = RawClient.withSmallBuffer(service.server.port())) {
      client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Vert.x itself keeps an answer for which the stream has no room at all. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1_000})
  void resetsAnHttp2StreamWhoseAnswerIsNotRead(int roomBytes) {
    CountDownLatch closed = new CountDownLatch(1);
    try (TestService service =
        new TestService(
            TINY,
            router -> {
              noting(router);
              large(router, closed);
            })) {
      HttpClient client =
          service.http2ClientBuilder(new Http2Settings().setInitialWindowSize(roomBytes)).build();
      Supplier<Future<Void>> read =
          () ->
              client
                  .request(HttpMethod.GET, service.server.port(), "127.0.0.1", "/large")
                  .compose(request -> request.send())
                  .compose(response -> response.pause().end());
      assertThatThrownBy(() -> ask(read)).isInstanceOf(StreamResetException.class);
    }
  }

  @Test
  void keepsAClientWhileAResponseIsPending() {
    try (TestService service = new TestService(TINY, SlowClientTest::api);
        RawClient client = service.connect()) {
      client.send("GET /patient HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(client.readUntil("at last")).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void keepsAClientThatSendsTheNextBodySlowlyWhileAResponseIsPending() {
    try (TestService service = new TestService(TINY, SlowClientTest::api);
        RawClient client = service.connect()) {
      client.send(
          "GET /patient HTTP/1.1\r\nHost: a\r\n\r\n"
              + "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc");
      assertThat(client.readUntil("at last")).startsWith("HTTP/1.1 200");
      assertThat(client.readToEnd()).as("then the slow body is cut").isEmpty();
    }
  }

  @Test
  void neverCutsAnHttp2ClientThatIsOwedAnAnswerButAnIdleOne() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    try (TestService service =
        new TestService(
            TINY,
            router -> {
              noting(router);
              api(router);
            })) {
      HttpClient client =
          service
              .http2ClientBuilder()
              .withConnectHandler(connection -> connection.closeHandler(v -> note(closed)))
              .build();
      Supplier<Future<Buffer>> patient =
          () ->
              client
                  .request(HttpMethod.GET, service.server.port(), "127.0.0.1", "/patient")
                  .compose(request -> request.send())
                  .compose(response -> response.body());
      assertThat(ask(patient).toString()).isEqualTo("at last");
      assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Not of a connection that never asked. */
  private void note(CountDownLatch closed) {
    if (asked.get()) {
      closed.countDown();
    }
  }

  @Test
  void resetsAnHttp2StreamWhoseBodyNeverEnds() {
    // Not idle for too long, however late the stream begins.
    try (TestService service =
        new TestService(TestService.limits(60_000, 300), SlowClientTest::api)) {
      HttpClient client = service.http2Client();
      Promise<Throwable> reset = Promise.promise();
      client
          .request(HttpMethod.POST, service.server.port(), "127.0.0.1", "/echo")
          .onSuccess(
              request -> {
                request.exceptionHandler(reset::tryComplete);
                request.setChunked(true).write("abc");
              });
      assertThat(await(reset.future())).hasMessageContaining("reset");
      client.close();
    }
  }
}
