package dev.latchkey.service;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.http.ConnectionLimits;
import dev.latchkey.testing.RawClient;
import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** {@code --ops-port} and {@code --drain-delay}. */
class OperationsListenerTest {

  private static final long DELAY_MILLIS = 400;

  private final TestService service =
      new TestService(
          ConnectionLimits.DEFAULT,
          router -> router.get("/v1/now").handler(ctx -> ctx.end("now")),
          "--ops-port",
          "0",
          "--drain-delay",
          DELAY_MILLIS + "ms");

  private static String get(int port, String path) {
    try (RawClient client = new RawClient(port)) {
      return client
          .send("GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
          .readToEnd();
    }
  }

  private int operationsPort() {
    return service.server.operationsPort().orElseThrow();
  }

  @Test
  void metricsAndHealthMoveToTheirOwnPort() {
    try (service) {
      for (String path : new String[] {"/metrics", "/health/live", "/health/ready"}) {
        assertThat(get(operationsPort(), path)).startsWith("HTTP/1.1 200");
        assertThat(get(service.server.port(), path)).startsWith("HTTP/1.1 404");
      }
      assertThat(get(operationsPort(), "/v1/now")).startsWith("HTTP/1.1 404");
      assertThat(get(service.server.port(), "/v1/now")).endsWith("now");
    }
  }

  @Test
  void nodeServesDuringTheDelayButIsNotReady() {
    try (service) {
      long beganNanos = System.nanoTime();
      Future<Boolean> stopped = service.server.stop();
      assertThat(get(operationsPort(), "/health/ready")).contains(" 503 ", "draining");
      assertThat(get(service.server.port(), "/v1/now")).endsWith("now");
      assertThat(await(stopped)).isTrue();
      assertThat(System.nanoTime() - beganNanos)
          .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(DELAY_MILLIS));
      assertThat(get(operationsPort(), "/health/ready")).contains(" 503 ", "draining");
    }
  }
}
