package dev.latchkey.web.capture;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.memory.EffectTarget;
import dev.latchkey.store.memory.MemoryStore;
import dev.latchkey.web.IdempotencyHandler;
import dev.latchkey.web.IdempotencyNode;
import dev.latchkey.web.IdempotencyOptions;
import dev.latchkey.web.ResponsePolicy;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.CorsHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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

/**
 * However a handler responds, the client gets the same response as without the idempotency handler,
 * the handler runs once, and a replay repeats the response.
 */
@TestInstance(Lifecycle.PER_CLASS)
class CaptureAndReplayTest {

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

  Stream<Arguments> cases() {
    return ResponseCases.overBothVersions(server.vertx, directory.resolve("page.html"));
  }

  @ParameterizedTest(name = "{0} over {1}")
  @MethodSource("cases")
  void responseIsUnchangedAndReplayed(String name, HttpVersion version, Consumer<Router> routes)
      throws Exception {
    AtomicInteger runs = new AtomicInteger();
    int plain = server.serve(upstream().andThen(routes));
    int protectedPort =
        server.captured(
            router -> {
              upstream().accept(router);
              router.route().handler(idempotency());
              router
                  .route()
                  .handler(
                      ctx -> {
                        if (ctx.get("counted") == null) {
                          ctx.put("counted", true);
                          runs.incrementAndGet();
                        }
                        ctx.next();
                      });
              routes.accept(router);
            });
    ClientResponse without =
        await(ClientResponse.get(server.client(version), plain, HttpMethod.POST, "/x"));
    ClientResponse first =
        await(ClientResponse.get(server.client(version), protectedPort, HttpMethod.POST, "/x"));
    ClientResponse again =
        await(ClientResponse.get(server.client(version), protectedPort, HttpMethod.POST, "/x"));

    assertThat(unmarked(first)).isEqualTo(unmarked(without));
    assertThat(again.values("set-cookie")).isEmpty();
    assertThat(unmarked(again.repeatable())).isEqualTo(unmarked(first.repeatable()));
    assertThat(first.headers()).noneMatch(CaptureAndReplayTest::isReplayMark);
    assertThat(again.headers()).anyMatch(CaptureAndReplayTest::isReplayMark);
    assertThat(runs).hasValue(1);
  }

  /** Handlers of the application before the idempotency handler. */
  private static Consumer<Router> upstream() {
    return router -> {
      router.route().handler(CorsHandler.create().addOrigin("http://shop.example"));
      router.route().handler(BodyHandler.create(false));
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

  private IdempotencyHandler idempotency() {
    var store = MemoryStore.create(MemoryBudget.ofHeap(), EffectTarget.NONE);
    return IdempotencyHandler.create(
        IdempotencyNode.create(server.vertx, store),
        new IdempotencyOptions()
            .singleTenant()
            .setKeySource(ctx -> List.of("key"))
            .setResponsePolicy(ResponsePolicy.everything()));
  }

  private static boolean isReplayMark(String header) {
    return header.toLowerCase(java.util.Locale.ROOT).startsWith("idempotent-replayed");
  }

  /** Without the headers of the idempotency handler. */
  private static ClientResponse unmarked(ClientResponse wire) {
    List<String> headers =
        wire.headers().stream()
            .filter(it -> !it.toLowerCase(java.util.Locale.ROOT).startsWith("idempoten"))
            .toList();
    return new ClientResponse(wire.status(), wire.message(), headers, wire.body(), wire.trailers());
  }
}
