package dev.latchkey.web.capture;

import static dev.latchkey.web.capture.CaptureServer.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.StoredResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.CorsHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** However a handler answers: captured, it reaches the client as without, and replays the same. */
@TestInstance(Lifecycle.PER_CLASS)
class CaptureTest {

  @TempDir static Path directory;
  private CaptureServer server;

  @BeforeAll
  void start() throws Exception {
    server = new CaptureServer();
    Files.writeString(directory.resolve("page.html"), "<p>some text in a file</p>");
  }

  @AfterAll
  void stop() throws Exception {
    server.close();
  }

  Stream<Arguments> ways() {
    return Ways.overBothVersions(server.vertx, directory.resolve("page.html"));
  }

  @ParameterizedTest(name = "{0} over {1}")
  @MethodSource("ways")
  void isTheSameCapturedAndReplayed(String name, HttpVersion version, Consumer<Router> way)
      throws Exception {
    CompletableFuture<StoredResponse> stored = new CompletableFuture<>();
    int plain = server.serve(upstream().andThen(way));
    int captured =
        server.captured(
            upstream()
                .andThen(router -> router.route().handler(ctx -> capture(ctx, stored)))
                .andThen(way));

    Wire without = answer(version, plain, HttpMethod.POST);
    Wire first = answer(version, captured, HttpMethod.POST);
    assertThat(first).isEqualTo(without);

    StoredResponse kept = stored.get(20, TimeUnit.SECONDS);
    assertThat(kept.header("Set-Cookie")).isEmpty();
    int replaying = server.captured(upstream().andThen(router -> replay(router, kept)));
    Wire again = answer(version, replaying, HttpMethod.POST);
    if (!name.equals("header taken away")) {
      assertThat(again.repeatable()).isEqualTo(first.repeatable());
    }
    assertThat(answer(version, replaying, HttpMethod.POST)).isEqualTo(again);
  }

  private Wire answer(HttpVersion version, int port, HttpMethod method) throws Exception {
    return await(Wire.get(server.client(version), port, method, "/x"));
  }

  /** What an application sets before the idempotency handler, on every answer. */
  private static Consumer<Router> upstream() {
    return router -> {
      router.route().handler(CorsHandler.create().addOrigin("http://shop.example"));
      router
          .route()
          .handler(
              ctx -> {
                ctx.addHeadersEndHandler(v -> ctx.response().putHeader("X-Upstream", "1"));
                ctx.response().putHeader("X-Before", "1").putHeader("X-Default", "1");
                ctx.next();
              });
    };
  }

  private static void replay(Router router, StoredResponse kept) {
    router.route().handler(ctx -> CapturingResponse.of(ctx).orElseThrow().replay(kept, List.of()));
  }

  /** Captures everything and delivers it a turn later, as after a store's answer. */
  private static void capture(RoutingContext ctx, CompletableFuture<StoredResponse> stored) {
    CapturingResponse capturing = CapturingResponse.of(ctx).orElseThrow();
    if (capturing.isCapturing()) {
      // A reroute came by again.
      ctx.next();
      return;
    }
    HttpServerResponse real = capturing.real();
    capturing.begin(
        1 << 20,
        new Sink() {
          @Override
          public void captured(Answer answer) {
            assertThat(real.headWritten()).isFalse();
            stored.complete(answer.stored());
            ctx.vertx().runOnContext(v -> capturing.deliver(answer, List.of()));
          }

          @Override
          public void overflow(int status, Optional<String> location, OverflowContinuation go) {
            stored.completeExceptionally(new AssertionError("overflow"));
            go.drop();
          }

          @Override
          public void aborted(Throwable why) {
            stored.completeExceptionally(why);
          }
        });
    ctx.next();
  }
}
