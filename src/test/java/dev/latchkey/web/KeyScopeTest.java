package dev.latchkey.web;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.NodeOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.BodyHandler;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which requests share a key: by caller, by operation, by path. */
class KeyScopeTest {

  private final AtomicInteger runs = new AtomicInteger();

  /** Adds a protected route whose response counts its executions. */
  private void protect(WebFixture app, Router router, String template) {
    router
        .route(template)
        .handler(BodyHandler.create(false))
        .handler(IdempotencyHandler.create(app.node, new IdempotencyOptions().singleTenant()))
        .handler(ctx -> ctx.end("run " + runs.incrementAndGet()));
  }

  private static String post(WebFixture app, String path) throws Exception {
    HttpResponse<String> response = app.send(app.keyed("k", "{}").uri(app.uri(path)));
    return response.statusCode() == 200 ? response.body() : "" + response.statusCode();
  }

  private static List<String> operations(WebFixture app) {
    return await(app.node.records("default", "k")).stream()
        .map(record -> record.key().route())
        .toList();
  }

  @Test
  void handlerWithoutAScopeIsRejected() {
    try (var app = new WebFixture(new NodeOptions(), (router, it) -> {})) {
      assertThatThrownBy(() -> IdempotencyHandler.create(app.node, new IdempotencyOptions()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("setScope")
          .hasMessageContaining("singleTenant()");
    }
  }

  @Test
  void unidentifiedCallerIsAnError() throws Exception {
    var options = new IdempotencyOptions().setScope(ctx -> ctx.request().getHeader("Tenant"));
    try (var app = new WebFixture(options, ctx -> ctx.end("run"))) {
      assertThat(app.send(app.keyed("k", "{}")).statusCode()).isEqualTo(500);
    }
  }

  @Test
  void sameTemplateInTwoSubRoutersIsTwoOperations() throws Exception {
    BiConsumer<Router, WebFixture> routes =
        (router, app) -> {
          for (String mount : List.of("/shop/*", "/depot/*", "/of/:customer/*")) {
            Router sub = Router.router(app.vertx);
            protect(app, sub, "/orders/:id");
            router.route(mount).subRouter(sub);
          }
        };
    try (var app = new WebFixture(new NodeOptions(), routes)) {
      assertThat(post(app, "/shop/orders/1")).isEqualTo("run 1");
      assertThat(post(app, "/depot/orders/1")).isEqualTo("run 2");
      assertThat(post(app, "/shop/orders/1")).isEqualTo("run 1");
      assertThat(post(app, "/of/ann/orders/1")).isEqualTo("run 3");
      assertThat(post(app, "/of/bob/orders/1")).isEqualTo("422");
      assertThat(operations(app))
          .containsExactlyInAnyOrder(
              "POST /shop/orders/:id", "POST /depot/orders/:id", "POST /of/:customer/orders/:id");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/orders, /orders, /orders/, run 1",
    "/orders/:id, /orders/7, /orders/7/, run 1",
    "/orders/:id/, /orders/7/, /orders/7, 404",
    "/files/*, /files/a, /files/a/, 422"
  })
  void trailingSlashCountsOnlyIfTheRouteDistinguishesIt(
      String template, String first, String second, String expected) throws Exception {
    try (var app =
        new WebFixture(new NodeOptions(), (router, it) -> protect(it, router, template))) {
      assertThat(post(app, first)).isEqualTo("run 1");
      assertThat(post(app, second)).isEqualTo(expected);
      assertThat(operations(app)).containsExactly("POST " + template);
    }
  }

  @Test
  void routesThatDifferInATrailingSlashAreTwoOperations() throws Exception {
    BiConsumer<Router, WebFixture> routes =
        (router, app) -> {
          protect(app, router, "/orders/");
          protect(app, router, "/orders");
        };
    try (var app = new WebFixture(new NodeOptions(), routes)) {
      assertThat(post(app, "/orders/")).isEqualTo("run 1");
      assertThat(post(app, "/orders")).isEqualTo("run 2");
    }
  }

  @Test
  void routeWithoutAPathUsesTheRequestsPath() throws Exception {
    BiConsumer<Router, WebFixture> routes =
        (router, app) ->
            router
                .route()
                .handler(BodyHandler.create(false))
                .handler(
                    IdempotencyHandler.create(app.node, new IdempotencyOptions().singleTenant()))
                .handler(ctx -> ctx.end("run " + runs.incrementAndGet()));
    try (var app = new WebFixture(new NodeOptions(), routes)) {
      assertThat(post(app, "/a")).isEqualTo("run 1");
      assertThat(post(app, "/b")).isEqualTo("run 2");
      assertThat(operations(app)).containsExactlyInAnyOrder("POST /a", "POST /b");
    }
  }
}
