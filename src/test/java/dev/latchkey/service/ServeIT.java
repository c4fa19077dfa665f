package dev.latchkey.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Await;
import dev.latchkey.testing.RawClient;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServeIT {

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void printsTheReadyLineAndServes(HttpClient.Version version) throws Exception {
    try (LatchkeyProcess latchkey = LatchkeyProcess.ready("--port", "0")) {
      assertThat(latchkey.readyLine())
          .matches("latchkey ready on http://127\\.0\\.0\\.1:\\d+ store=memory ledger=memory");
      HttpResponse<String> response = get(latchkey.url(), "/health/live", version);
      assertThat(response.statusCode()).isEqualTo(200);
      assertThat(latchkey.out()).containsExactly(latchkey.readyLine());
      assertThat(latchkey.err()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT"})
  void endsWithZeroOnceDrained(String signal) {
    try (LatchkeyProcess latchkey = LatchkeyProcess.ready("serve", "--port", "0");
        RawClient idle = new RawClient(latchkey.url().getPort())) {
      idle.send("GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n").readUntil("live\"}");
      assertThat(latchkey.signal(signal).exitCode()).isZero();
      assertThat(idle.readToEnd()).isEmpty();
      assertThat(latchkey.err()).allMatch(line -> line.contains(" INFO "));
    }
  }

  /** Netty's events of Flight Recorder cost a tenth of the start, and are there for the asking. */
  @ParameterizedTest
  @CsvSource({"'', false", "-Dio.netty.jfr.enabled=true, true"})
  void flightRecorderEventsOfNettyAreOffByDefault(
      String option, boolean registered, @TempDir Path directory) throws Exception {
    Path log = directory.resolve("classes");
    Map<String, String> environment =
        Map.of("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + log + " " + option);
    try (LatchkeyProcess latchkey = LatchkeyProcess.start(environment, "--port", "0")) {
      HttpClient.Version version = HttpClient.Version.HTTP_1_1;
      assertThat(get(latchkey.url(), "/health/live", version).statusCode()).isEqualTo(200);
    }
    try (Stream<String> loaded = Files.lines(log)) {
      assertThat(loaded.anyMatch(line -> line.contains("jdk.jfr.internal.EventWriter")))
          .isEqualTo(registered);
    }
  }

  /** The log is configured in code because reading XML dominates a start. */
  @Test
  void startReadsNoXml(@TempDir Path directory) throws Exception {
    Path log = directory.resolve("classes");
    Map<String, String> environment = Map.of("JDK_JAVA_OPTIONS", "-Xlog:class+load:file=" + log);
    try (LatchkeyProcess latchkey = LatchkeyProcess.start(environment, "--port", "0")) {
      HttpClient.Version version = HttpClient.Version.HTTP_1_1;
      assertThat(get(latchkey.url(), "/health/live", version).statusCode()).isEqualTo(200);
    }
    try (Stream<String> loaded = Files.lines(log)) {
      assertThat(loaded).noneMatch(line -> line.contains(" org.xml.sax."));
    }
  }

  @Test
  void invalidOptionEndsWithTwoAndOneLine() {
    try (LatchkeyProcess latchkey = LatchkeyProcess.start(Map.of(), "--port", "70000")) {
      assertThat(latchkey.exitCode()).isEqualTo(2);
      assertThat(latchkey.err()).hasSize(1).first().asString().contains("--port", "65535");
      assertThat(latchkey.out()).isEmpty();
    }
  }

  @Test
  void portInUseEndsWithOneAndOneLine() {
    try (LatchkeyProcess first = LatchkeyProcess.ready("--port", "0")) {
      String port = Integer.toString(first.url().getPort());
      try (LatchkeyProcess second =
          LatchkeyProcess.start(Map.of("LATCHKEY_HTTP_PORT", port), "serve")) {
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.err()).hasSize(1).first().asString().contains(port, "in use");
        assertThat(second.out()).isEmpty();
      }
    }
  }

  @Test
  void warnsOfUnknownVariables() {
    try (LatchkeyProcess latchkey =
        LatchkeyProcess.start(Map.of("LATCHKEY_PORT", "1"), "--port", "0")) {
      latchkey.readyLine();
      latchkey.close(); // what it said has all been read by then
      assertThat(latchkey.err()).hasSize(1).first().asString().contains(" WARN ", "LATCHKEY_PORT");
    }
  }

  @Test
  void hangUpReloadsTheSecrets(@TempDir Path directory) throws Exception {
    String old = "0123456789abcdef";
    String next = "fedcba9876543210";
    Path keys = Files.writeString(directory.resolve("keys"), "acme:" + old);
    try (LatchkeyProcess latchkey =
        LatchkeyProcess.ready("--port", "0", "--log-format", "json", "--api-keys", "@" + keys)) {
      assertThat(balance(latchkey.url(), old)).isEqualTo(200);
      Files.writeString(keys, "acme:" + next);
      latchkey.signal("HUP");
      Await.until("reloaded", () -> balance(latchkey.url(), next) == 200);
      assertThat(balance(latchkey.url(), old)).isEqualTo(401);
      assertThat(latchkey.signal("TERM").exitCode()).isZero();
      assertThat(latchkey.err())
          .isNotEmpty()
          .allSatisfy(line -> assertThat(new JsonObject(line)).isNotEmpty());
    }
  }

  private static int balance(URI url, String secret) {
    try {
      return HttpClient.newHttpClient()
          .send(
              HttpRequest.newBuilder(url.resolve("/v1/balance"))
                  .header("Authorization", "Bearer " + secret)
                  .build(),
              BodyHandlers.ofString())
          .statusCode();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static HttpResponse<String> get(URI url, String path, HttpClient.Version version)
      throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(url.resolve(path)).version(version).build(),
            BodyHandlers.ofString());
  }
}
