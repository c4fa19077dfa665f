package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.LatchkeyProcess;
import dev.latchkey.testing.Await;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Signals to the load command as a process. */
@TestInstance(Lifecycle.PER_CLASS)
class StopIT {

  private final HttpClient client = HttpClient.newHttpClient();
  private LatchkeyProcess service;

  @BeforeAll
  void start() {
    service = LatchkeyProcess.ready("serve", "--port", "0");
  }

  @AfterAll
  void end() {
    service.close();
  }

  private LatchkeyProcess load(String slowMillis) {
    String url = service.url().toString();
    return LatchkeyProcess.start(
        Map.of(), "load", "--url", url, "--duration", "1h", "--json", "--slow-ms", slowMillis);
  }

  private double claims() {
    HttpRequest request = HttpRequest.newBuilder(service.url().resolve("/metrics")).build();
    try {
      String metrics = client.send(request, BodyHandlers.ofString()).body();
      return metrics
          .lines()
          .filter(line -> line.startsWith("latchkey_store_calls_total{operation=\"claim\""))
          .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
          .sum();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void awaitMoreClaimsThan(double before) {
    Await.until("a claim", () -> claims() > before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM"})
  void firstSignalStopsNewRequestsAndAudits(String signal) {
    double before = claims();
    try (LatchkeyProcess load = load("20")) {
      awaitMoreClaimsThan(before);
      load.signal(signal);

      int code = load.exitCode();
      List<String> out = load.out();
      assertThat(code).as("%s %s", out, load.err()).isZero();
      assertThat(out).anyMatch(line -> line.startsWith("  stopped   by a signal"));
      JsonObject json = new JsonObject(out.get(out.size() - 1));
      assertThat(json.getString("verdict")).isEqualTo("exactly-once");
      assertThat(json.getLong("executed")).isEqualTo(json.getLong("keys"));
    }
  }
}
