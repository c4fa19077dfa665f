package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Await;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** An HTTP client of the payments API. */
final class PaymentClient {

  static final String VISA = "pm_card_visa";

  /** Longer than every wait and outage in these tests. */
  private static final Duration LIMIT = Duration.ofSeconds(55);

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private PaymentClient() {}

  /** Sends a payment; fails with an {@code IOException} if the node closes the connection. */
  static CompletableFuture<HttpResponse<String>> pay(URI node, String key, String method) {
    JsonObject body =
        new JsonObject().put("amount", 1_000).put("currency", "EUR").put("payment_method", method);
    return CLIENT.sendAsync(
        HttpRequest.newBuilder(node.resolve("/v1/payments"))
            .timeout(LIMIT)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(body.encode()))
            .build(),
        BodyHandlers.ofString());
  }

  static HttpResponse<String> get(URI node, String path) {
    HttpRequest request = HttpRequest.newBuilder(node.resolve(path)).timeout(LIMIT).build();
    return await(CLIENT.sendAsync(request, BodyHandlers.ofString()));
  }

  /** Sends a payment and retries retryable responses. */
  static HttpResponse<String> payUntilPaid(URI node, String key, String method) {
    return untilPaid(pay(node, key, method), node, key, method);
  }

  /** Awaits the response of a sent payment and retries retryable responses. */
  static HttpResponse<String> untilPaid(
      CompletableFuture<HttpResponse<String>> sent, URI node, String key, String method) {
    long fromNanos = System.nanoTime();
    HttpResponse<String> response = await(sent);
    while (response.statusCode() != 201) {
      assertThat(new JsonObject(response.body()).getBoolean("retryable"))
          .as("%s", response.body())
          .isTrue();
      assertThat(Duration.ofNanos(System.nanoTime() - fromNanos))
          .as("%s is stuck: %s", key, response.body())
          .isLessThan(LIMIT);
      Await.pause();
      response = await(pay(node, key, method));
    }
    return response;
  }

  static boolean isReady(URI node) {
    return get(node, "/health/ready").statusCode() == 200;
  }

  /** Returns the payments that a node finds for a key. */
  static List<JsonObject> payments(URI node, String key) {
    return data(node, "/v1/payments?idempotency_key=" + key);
  }

  /** Returns the record of a key that was used on one route. */
  static JsonObject record(URI node, String key) {
    return data(node, "/v1/idempotency-keys/" + key).get(0);
  }

  /** Returns the payments in a node's balance. */
  static long booked(URI node) {
    return data(node, "/v1/balance").stream().mapToLong(it -> it.getLong("payments")).sum();
  }

  private static List<JsonObject> data(URI node, String path) {
    return new JsonObject(get(node, path).body())
        .getJsonArray("data").stream().map(JsonObject.class::cast).toList();
  }

  /** Waits for the next claim of a node. */
  static void awaitClaim(URI node, long before) {
    Await.until("the node claims the key", () -> calls(node, "claim") > before);
  }

  /** Returns a node's finished store calls. */
  static long calls(URI node, String operation) {
    return Stream.of("ok", "not_done", "unknown")
        .mapToLong(
            result ->
                metric(
                    node,
                    "latchkey_store_calls_total{operation=\"%s\",result=\"%s\"}"
                        .formatted(operation, result)))
        .sum();
  }

  /** Returns a number of {@code /metrics}. */
  static long metric(URI node, String name) {
    return get(node, "/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }
}
