package dev.latchkey.client;

import dev.latchkey.net.BackOff;
import dev.latchkey.net.BaseUrl;
import dev.latchkey.net.BoundedExchange.Outcome;
import dev.latchkey.net.BoundedHttpClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An HTTP client that carries out each operation once, however often it has to send it. All sends
 * of a request have one idempotency key, so the service executes it once.
 *
 * <p>It retries after a failed connection, a lost response, 408, 409 {@code request-in-progress},
 * 429, 503 and every response with {@code Retry-After}, with exponential back-off and jitter, until
 * the deadline, each time at the next node. A {@link RetryBudget} for all requests limits the
 * retries. {@code Prefer: wait} tells the service how long to hold a duplicate.
 *
 * <p>Safe for use by any thread. Futures complete on the caller's context.
 */
public final class IdempotentClient {

  private static final String KEYS = "/v1/idempotency-keys/";

  private final Vertx vertx;
  private final List<BaseUrl> nodes;
  private final IdempotentClientOptions options;
  private final BoundedHttpClient http;
  private final BackOff backOff;
  private final RetryBudget budget;
  private final LatencyWindow latency = new LatencyWindow();
  private final AtomicInteger firstNode = new AtomicInteger();

  private IdempotentClient(Vertx vertx, List<BaseUrl> nodes, IdempotentClientOptions options) {
    this.vertx = vertx;
    this.nodes = nodes;
    this.options = options;
    this.http =
        new BoundedHttpClient(
            vertx,
            new HttpClientOptions(),
            new PoolOptions().setHttp1MaxSize(options.getMaxConnections()),
            options.getMaxResponseBytes());
    this.backOff = new BackOff(options.getFirstDelayMillis(), options.getMaxDelayMillis());
    this.budget = new RetryBudget(options.getBudgetTokens(), options.getBudgetTokensPerSuccess());
  }

  /**
   * Creates a client.
   *
   * @param vertx runs it; closing it closes the connections
   * @param baseUrls of the service's nodes, at least one, such as {@code https://pay.example.com}
   * @param options limits and retries
   * @return the client
   * @throws IllegalArgumentException if a base URL is not one
   */
  public static IdempotentClient create(
      Vertx vertx, List<String> baseUrls, IdempotentClientOptions options) {
    if (baseUrls.isEmpty()) {
      throw new IllegalArgumentException("a client needs the base URL of at least one node");
    }
    return new IdempotentClient(
        vertx,
        baseUrls.stream().map(BaseUrl::parse).toList(),
        new IdempotentClientOptions(options));
  }

  /**
   * Sends a request until it has a final response.
   *
   * @param request the operation
   * @return the first final response; fails with {@link GaveUpException} if there is none before
   *     the deadline, or retries are not allowed
   */
  public Future<ClientResponse> send(IdempotentRequest request) {
    return new IdempotentCall(
            this, request, Math.floorMod(firstNode.getAndIncrement(), nodes.size()))
        .start();
  }

  /** Closes the connections. Open requests end with {@link GaveUpException} at their deadline. */
  public Future<Void> close() {
    return http.close();
  }

  Vertx vertx() {
    return vertx;
  }

  IdempotentClientOptions options() {
    return options;
  }

  BoundedHttpClient http() {
    return http;
  }

  RetryBudget budget() {
    return budget;
  }

  LatencyWindow latency() {
    return latency;
  }

  long delayMillis(int failures) {
    return backOff.delayMillis(failures, ThreadLocalRandom.current());
  }

  RequestOptions request(int send, HttpMethod method, String path, Map<String, String> headers) {
    RequestOptions request =
        nodes
            .get(Math.floorMod(send, nodes.size()))
            .request(method, path)
            .setConnectTimeout(options.getConnectTimeoutMillis());
    headers.forEach(request::putHeader);
    return request;
  }

  Future<JsonObject> queryKey(IdempotentRequest asked, int send) {
    String key = URLEncoder.encode(asked.key(), StandardCharsets.UTF_8).replace("+", "%20");
    return http.send(
            request(send, HttpMethod.GET, KEYS + key, asked.headers()),
            Buffer.buffer(),
            options.getDeadlineMillis())
        .outcome()
        .map(
            outcome -> {
              if (outcome instanceof Outcome.Response response && response.status() == 200) {
                return response.body().toJsonObject();
              }
              throw new IllegalStateException("the state of the key is not available: " + outcome);
            });
  }
}
