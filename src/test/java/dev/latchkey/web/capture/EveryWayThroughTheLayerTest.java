package dev.latchkey.web.capture;

import static dev.latchkey.web.capture.CaptureServer.await;
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

/** However a handler answers behind the whole layer: as without it, once, and the same again. */
@TestInstance(Lifecycle.PER_CLASS)
class EveryWayThroughTheLayerTest {

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
  void runsOnceAndReplaysTheSame(String name, HttpVersion version, Consumer<Router> way)
      throws Exception {
    AtomicInteger runs = new AtomicInteger();
    int plain = server.serve(((Consumer<Router>) EveryWayThroughTheLayerTest::body).andThen(way));
    int protectedPort =
        server.captured(
            router -> {
              body(router);
              router.route().handler(layer());
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
              way.accept(router);
            });
    Wire without = await(Wire.get(server.client(version), plain, HttpMethod.POST, "/x"));
    Wire first = await(Wire.get(server.client(version), protectedPort, HttpMethod.POST, "/x"));
    Wire again = await(Wire.get(server.client(version), protectedPort, HttpMethod.POST, "/x"));

    assertThat(unmarked(first)).isEqualTo(unmarked(without));
    assertThat(unmarked(again.repeatable())).isEqualTo(unmarked(first.repeatable()));
    assertThat(first.headers()).noneMatch(EveryWayThroughTheLayerTest::isReplayMark);
    assertThat(again.headers()).anyMatch(EveryWayThroughTheLayerTest::isReplayMark);
    assertThat(runs).hasValue(1);
  }

  private static void body(Router router) {
    router.route().handler(BodyHandler.create(false));
  }

  private IdempotencyHandler layer() {
    var store = MemoryStore.create(MemoryBudget.ofHeap(), EffectTarget.NONE);
    return IdempotencyHandler.create(
        IdempotencyNode.create(server.vertx, store),
        new IdempotencyOptions()
            .singleTenant()
            .setKeySource(ctx -> List.of("key"))
            .setResponsePolicy(ResponsePolicy.everythingThatRan()));
  }

  private static boolean isReplayMark(String header) {
    return header.toLowerCase(java.util.Locale.ROOT).startsWith("idempotent-replayed");
  }

  /** Without what the layer adds. */
  private static Wire unmarked(Wire wire) {
    List<String> headers =
        wire.headers().stream()
            .filter(it -> !it.toLowerCase(java.util.Locale.ROOT).startsWith("idempoten"))
            .toList();
    return new Wire(wire.status(), wire.message(), headers, wire.body(), wire.trailers());
  }
}
