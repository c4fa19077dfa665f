package dev.latchkey.load;

import static dev.latchkey.load.Loaded.small;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.load.BrokenService.Mode;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The options of the command, what it prints, and its exit codes. */
class LoadCommandTest {

  @Test
  void textOfTheServiceIsShownSafelyAndCut() {
    try (BrokenService service = new BrokenService(Mode.REFUSES_WITH_ESCAPES)) {
      Loaded loaded = Loaded.run(small(service.url()));

      assertThat(loaded.out()).contains("[2J31mxxx").doesNotContainPattern("[\\p{Cc}&&[^\n]]");
      assertThat(loaded.out()).doesNotContain("x".repeat(201));
    }
  }

  @Test
  void unprintableResultExitsWith2() {
    Writer full =
        new Writer() {
          @Override
          public void write(char[] text, int offset, int length) throws IOException {
            throw new IOException("No space left on device");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      Loaded loaded = Loaded.printingTo(full, small(service.url()));

      assertThat(loaded.exitCode()).isEqualTo(2);
      assertThat(loaded.err()).contains("standard output");
    }
  }

  @Test
  void refusedConnectionExitsWith2() throws IOException {
    // Bound but not listening, so that connections are refused.
    try (Socket nobody = new Socket()) {
      nobody.bind(new InetSocketAddress("127.0.0.1", 0));
      String url = "http://127.0.0.1:" + nobody.getLocalPort();
      Loaded loaded = Loaded.run("--url", url);
      assertThat(loaded.exitCode()).isEqualTo(2);
      assertThat(loaded.errors()).contains("no response from " + url).hasLineCount(1);
      assertThat(loaded.out()).isEmpty();
    }
  }

  @Test
  void otherServiceExitsWith2() {
    try (BrokenService service = new BrokenService(Mode.NO_PAYMENTS_API)) {
      Loaded loaded = Loaded.run("--url", service.url());

      assertThat(loaded.exitCode()).isEqualTo(2);
      assertThat(loaded.err()).contains("GET /v1/payments with 404");
    }
  }

  @Test
  void jsonHasTheMembersOfTheContract() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      JsonObject json = Loaded.run(small(service.url(), "--slow-ms", "20")).json();

      assertThat(json.fieldNames())
          .containsExactly(
              "verdict",
              "keys",
              "requests",
              "executed",
              "parked",
              "replayed",
              "conflicts",
              "errors",
              "unanswered",
              "max_effects_per_key",
              "keys_with_differing_answers",
              "throughput_per_second",
              "latency_ms",
              "wake_ms");
      JsonObject latency = json.getJsonObject("latency_ms");
      assertThat(latency.fieldNames()).containsExactly("first", "parked", "replayed");
      for (String kind : latency.fieldNames()) {
        assertThat(latency.getJsonObject(kind).fieldNames())
            .containsExactly("p50", "p90", "p99", "max");
      }
      assertThat(json.getJsonObject("wake_ms").fieldNames()).containsExactly("p50", "p99", "max");
      assertThat(latency.getJsonObject("first").getDouble("p50")).isGreaterThanOrEqualTo(20);
      assertThat(service.lastMethod).isEqualTo("pm_slow_20");
    }
  }

  @Test
  void apiKeyIsSentAndNeverShown() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      Loaded loaded = Loaded.run(small(service.url(), "--api-key", "s3cret"));

      assertThat(service.lastAuthorization).isEqualTo("Bearer s3cret");
      assertThat(loaded.out() + loaded.err()).doesNotContain("s3cret");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--keys, 0",
    "--keys, many",
    "--retries, 0",
    "--concurrency, -1",
    "--slow-ms, 60001",
    "--hang-up, 1.5",
    "--hang-up, NaN",
    "--url, ftp://127.0.0.1",
    "--url, localhost:8080",
    "--url, 'http://127.0.0.1,'",
    "--url, ',http://127.0.0.1'",
    "--url, ''",
    "--psp-url, http://",
  })
  void invalidValueIsNamed(String option, String value) {
    Loaded loaded = Loaded.run(option, value);

    assertThat(loaded.exitCode()).isEqualTo(2);
    String firstLine = loaded.err().lines().findFirst().orElseThrow();
    assertThat(firstLine).contains(option).contains(value);
  }

  @Test
  void invalidApiKeyIsNotShown() {
    Loaded loaded = Loaded.run("--api-key", "two words");

    assertThat(loaded.exitCode()).isEqualTo(2);
    assertThat(loaded.err()).contains("--api-key").doesNotContain("two words");
  }

  @Test
  void helpNamesEveryOption() {
    Loaded loaded = Loaded.run("--help");

    assertThat(loaded.exitCode()).isZero();
    assertThat(loaded.out())
        .contains("--url", "--keys", "--retries", "--concurrency", "--slow-ms", "--hang-up")
        .contains("--api-key", "--psp-url", "--json", "http://127.0.0.1:8080")
        .contains("--duration", "--rate", "--report", "--config");
  }
}
