package dev.latchkey.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StartPatienceTest {

  private long nowNanos;
  private int attempts;

  private Future<Void> fails(long millis) {
    attempts++;
    nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
    return Future.failedFuture("attempt " + attempts);
  }

  @Test
  void refusalFailsAtOnce() {
    Future<Void> asked =
        StartPatience.ask(() -> fails(StartPatience.SILENCE_MILLIS - 1), () -> nowNanos);
    assertThat(asked.cause()).hasMessage("attempt 1");
  }

  @Test
  void silenceIsRetriedUpToTheLimit() {
    Future<Void> asked = StartPatience.ask(() -> fails(2_500), () -> nowNanos);
    assertThat(asked.cause()).hasMessage("attempt 4");
  }

  @Test
  void refusalAfterSilenceFails() {
    Future<Void> asked = StartPatience.ask(() -> fails(attempts == 0 ? 2_000 : 3), () -> nowNanos);
    assertThat(asked.cause()).hasMessage("attempt 2");
  }

  @Test
  void responseAfterSilenceSucceeds() {
    Future<Void> asked =
        StartPatience.ask(
            () -> attempts == 2 ? Future.succeededFuture() : fails(2_000), () -> nowNanos);
    assertThat(asked.succeeded()).isTrue();
    assertThat(attempts).isEqualTo(2);
  }
}
