package dev.latchkey.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.http.ConnectionLimits;
import dev.latchkey.testing.RawClient;
import io.vertx.core.Promise;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** {@code --max-connections}. */
class ConnectionLimitTest {

  private static final String LIVE = "GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n";

  private final Promise<Void> release = Promise.promise();
  private final CountDownLatch held = new CountDownLatch(2);
  private final TestService service =
      new TestService(
          ConnectionLimits.DEFAULT,
          router ->
              router
                  .get("/held")
                  .handler(
                      ctx -> {
                        held.countDown();
                        release.future().onSuccess(v -> ctx.end("at last"));
                      }),
          "--max-connections",
          "3");

  @Test
  void idleConnectionsMakeRoomAndBusyOnesStay() throws Exception {
    try (service;
        RawClient first = service.connect();
        RawClient idle = service.connect();
        RawClient second = service.connect()) {
      idle.send(LIVE).readUntil("live\"}");
      first.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n");
      second.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n");
      assertThat(held.await(20, TimeUnit.SECONDS)).isTrue();

      try (RawClient next = service.connect()) {
        assertThat(next.send(LIVE).readUntil("live\"}")).startsWith("HTTP/1.1 200");
        assertThat(idle.readToEnd()).isEmpty();
      }
      try (RawClient third = service.connect()) {
        third.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n");
      }
      release.complete();
      assertThat(first.readUntil("at last")).startsWith("HTTP/1.1 200");
      assertThat(second.readUntil("at last")).startsWith("HTTP/1.1 200");
    }
  }
}
