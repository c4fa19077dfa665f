package dev.latchkey.psp.simulator;

import static dev.latchkey.testing.Await.await;

import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A running simulator and an HTTP client for it. */
final class SimulatorFixture implements AutoCloseable {
  private final SimulatorServer server;
  private final HttpClient client = HttpClient.newHttpClient();
  final int port;

  private SimulatorFixture(SimulatorServer server, int port) {
    this.server = server;
    this.port = port;
  }

  static SimulatorFixture start(Vertx vertx) {
    return start(vertx, 0, Optional.empty(), Optional.empty());
  }

  static SimulatorFixture start(
      Vertx vertx, int port, Optional<Path> data, Optional<URI> eventsUrl) {
    SimulatorServer server =
        new SimulatorServer(
            vertx,
            new SimulatorOptions(
                "127.0.0.1", port, data, Optional.of("whsec_c2VjcmV0"), eventsUrl));
    return new SimulatorFixture(server, await(server.start()));
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }

  HttpResponse<String> get(String path) throws Exception {
    return client.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
  }

  JsonObject json(String path) throws Exception {
    return new JsonObject(get(path).body());
  }

  static JsonObject json(URI uri) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(uri).build();
    return new JsonObject(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
  }

  HttpRequest.Builder request(String path, String body) {
    return HttpRequest.newBuilder(uri(path))
        .timeout(Duration.ofSeconds(60))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  HttpResponse<String> send(HttpRequest request) throws Exception {
    return client.send(request, BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest request) {
    return client.sendAsync(request, BodyHandlers.ofString());
  }

  HttpResponse<String> post(String path, String key, String body) throws Exception {
    return send(request(path, body).header("Idempotency-Key", key).build());
  }

  static String charge(String method, boolean capture) {
    return new JsonObject()
        .put("amount", 1_000)
        .put("currency", "EUR")
        .put("payment_method", method)
        .put("capture", capture)
        .encode();
  }

  @Override
  public void close() {
    await(server.close());
  }
}
