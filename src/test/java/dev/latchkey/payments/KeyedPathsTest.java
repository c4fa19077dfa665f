package dev.latchkey.payments;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.TestVertx;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeyedPathsTest {

  private static final String[] TEMPLATES = {
    "/v1/payments",
    "/v1/payments/:id/capture",
    "/v1/payments/:id/cancel",
    "/v1/payments/:id/refunds"
  };
  private static final List<String> PARTS =
      List.of(
          "/",
          "/v1",
          "/payments",
          "/pay_1",
          "/capture",
          "/refunds",
          "/cancel",
          "/%70ay",
          "/a%2Fb",
          "/.",
          "/..",
          "/%2e",
          "/Payments",
          "x",
          "%20",
          "/:id",
          "/a;b",
          "?q=/capture");

  private final Vertx vertx = TestVertx.create();

  @AfterEach
  void close() {
    vertx.close().await();
  }

  @Test
  void matchesTheSamePathsAsTheRouter() throws Exception {
    Router router = Router.router(vertx);
    for (String template : TEMPLATES) {
      router.route(HttpMethod.POST, template).handler(ctx -> answer(ctx, true));
    }
    router.route().handler(ctx -> answer(ctx, false));
    int port =
        vertx.createHttpServer().requestHandler(router).listen(0).await(20, SECONDS).actualPort();
    int matched = 0;
    for (String path : paths()) {
      String answer = post(port, path);
      boolean routed = answer.startsWith("HTTP/1.1 200");
      matched += routed ? 1 : 0;
      String normalized = answer.substring(answer.indexOf("\r\n\r\n") + 4);
      assertThat(PaymentsApi.isKeyed(normalized)).as(path).isEqualTo(routed);
    }
    assertThat(matched).as("paths that are routed").isGreaterThan(50);
  }

  private static String post(int port, String path) throws IOException {
    String request = "POST " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private static void answer(RoutingContext ctx, boolean matched) {
    ctx.response().setStatusCode(matched ? 200 : 404).end(ctx.normalizedPath());
  }

  /** Up to two more parts behind each beginning of a path that is routed. */
  private static List<String> paths() {
    List<String> paths = new ArrayList<>();
    for (String start :
        List.of("/v1", "/v1/payments", "/v1/payments/p", "/v1/payments/p/capture")) {
      paths.add(start);
      for (String one : PARTS) {
        paths.add(start + one);
        for (String two : PARTS) {
          paths.add(start + one + two);
        }
      }
    }
    return paths;
  }
}
