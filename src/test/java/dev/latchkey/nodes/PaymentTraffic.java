package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Await;
import dev.latchkey.testing.StallFreeClock;
import io.vertx.core.json.JsonObject;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Payments of many clients over several nodes. Each retries until it is paid; every fourth is also
 * sent by a second client to another node. Safe for any thread.
 */
final class PaymentTraffic implements AutoCloseable {

  static final String METHOD = "pm_slow_50";

  private static final int CLIENTS = 16;

  private final StallFreeClock clock = new StallFreeClock();
  private final List<URI> nodes;
  private final int count;
  private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
  private final List<CompletableFuture<Void>> all = new ArrayList<>();
  private final Map<String, String> paid = new ConcurrentHashMap<>();
  private final Map<String, String> paidToSecond = new ConcurrentHashMap<>();
  private final AtomicLong rejections = new AtomicLong();
  private final AtomicLong slowestRejectionMillis = new AtomicLong();

  /** Starts all payments, a few at a time. */
  PaymentTraffic(int count, List<URI> nodes) {
    this.count = count;
    this.nodes = nodes;
    for (int i = 0; i < count; i++) {
      int number = i;
      start(() -> paid.put(key(number), pay(number, node(number))));
      if (i % 4 == 0) {
        start(() -> paidToSecond.put(key(number), pay(number, node(number + 1))));
      }
    }
  }

  static String key(int number) {
    return "crash_" + number;
  }

  URI node(int number) {
    return nodes.get(number % nodes.size());
  }

  private void start(Runnable payment) {
    all.add(CompletableFuture.runAsync(payment, clients));
  }

  private String pay(int number, URI node) {
    while (true) {
      long sentMillis = clock.millis();
      HttpResponse<String> response = await(PaymentClient.pay(node, key(number), METHOD));
      if (response.statusCode() == 201) {
        return response.body();
      }
      assertThat(response.statusCode()).as(response.body()).isEqualTo(503);
      assertThat(new JsonObject(response.body()).getBoolean("retryable")).isTrue();
      rejections.incrementAndGet();
      slowestRejectionMillis.accumulateAndGet(clock.millis() - sentMillis, Math::max);
      Await.pause();
    }
  }

  /** Returns the bodies of the 201 responses by key. */
  Map<String, String> paid() {
    return Map.copyOf(paid);
  }

  /** Returns the bodies of the 201 responses to second clients by key. */
  Map<String, String> paidToSecond() {
    return Map.copyOf(paidToSecond);
  }

  void awaitPaid(int count) {
    Await.until(
        count + " payments are paid",
        () -> {
          all.stream().filter(CompletableFuture::isCompletedExceptionally).forEach(Await::await);
          return paid.size() >= count;
        });
  }

  /** Waits until every client has its 201. */
  void awaitAll() {
    all.forEach(Await::await);
    assertThat(paid).hasSize(count);
  }

  /** Returns the number of 503 responses. */
  long rejections() {
    return rejections.get();
  }

  /** Returns the latency of the slowest 503 response, on a clock without stalls. */
  Duration slowestRejection() {
    return Duration.ofMillis(slowestRejectionMillis.get());
  }

  @Override
  public void close() {
    clients.shutdownNow();
    clock.close();
  }
}
