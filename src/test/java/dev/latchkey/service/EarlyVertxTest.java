package dev.latchkey.service;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EarlyVertxTest {

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void isMadeOnce(boolean now) {
    EarlyVertx early = new EarlyVertx(now);
    early.await();
    Vertx vertx = early.get();
    try {
      assertThat(early.get()).isSameAs(vertx);
    } finally {
      await(vertx.close());
    }
  }

  @Test
  void anInterruptIsKeptForTheCaller() {
    EarlyVertx early = new EarlyVertx(true);
    Thread.currentThread().interrupt();
    Vertx vertx = early.get();
    assertThat(Thread.interrupted()).isTrue();
    await(vertx.close());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | true",
        "serve | true",
        "--port 0 | true",
        "serve --port 0 | true",
        "--help | false",
        "serve -h | false",
        "migrate | false",
        "psp | false",
        "load serve | false",
        "help | false"
      })
  void onlyAServiceIsBegunBesideItsCommandLine(String args, boolean serves) {
    String[] words = args.isEmpty() ? new String[0] : args.split(" ");
    assertThat(CommandWords.serves(words)).isEqualTo(serves);
  }
}
