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

/** A client that pays. */
final class Payer {

  static final String VISA = "pm_card_visa";

  /** More than any wait or outage of these tests takes. */
  private static final Duration LIMIT = Duration.ofSeconds(55);

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Payer() {}

  /** Begins a payment; fails with an {@code IOException} when the node hangs up. */
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

  /** Takes an answer, and tries again as long as it says that a retry may help. */
  static HttpResponse<String> untilPaid(
      CompletableFuture<HttpResponse<String>> begun, URI node, String key, String method) {
    long fromNanos = System.nanoTime();
    HttpResponse<String> answer = await(begun);
    while (answer.statusCode() != 201) {
      assertThat(new JsonObject(answer.body()).getBoolean("retryable"))
          .as("%s", answer.body())
          .isTrue();
      assertThat(Duration.ofNanos(System.nanoTime() - fromNanos))
          .as("%s is stuck: %s", key, answer.body())
          .isLessThan(LIMIT);
      Await.pause();
      answer = await(pay(node, key, method));
    }
    return answer;
  }

  static boolean isReady(URI node) {
    return get(node, "/health/ready").statusCode() == 200;
  }

  /** Returns the payments that a node finds for a key. */
  static List<JsonObject> payments(URI node, String key) {
    return data(node, "/v1/payments?idempotency_key=" + key);
  }

  /** Returns what a node knows of the one route on which a key was used. */
  static JsonObject record(URI node, String key) {
    return data(node, "/v1/idempotency-keys/" + key).get(0);
  }

  /** Returns how many payments a node's balance counts. */
  static long booked(URI node) {
    return data(node, "/v1/balance").stream().mapToLong(it -> it.getLong("payments")).sum();
  }

  private static List<JsonObject> data(URI node, String path) {
    return new JsonObject(get(node, path).body())
        .getJsonArray("data").stream().map(JsonObject.class::cast).toList();
  }

  /** Waits for the first claim that is granted to a node beyond so many: then it runs. */
  static void awaitClaim(URI node, long before) {
    Await.until("it runs", () -> calls(node, "claim") > before);
  }

  /** Returns how many calls of its store a node has had answered. */
  static long calls(URI node, String operation) {
    return metric(node, "latchkey_store_calls_total{operation=\"" + operation + "\"}");
  }

  /** Reads one number that {@code /metrics} has. */
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
