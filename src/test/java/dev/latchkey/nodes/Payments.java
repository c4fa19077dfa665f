package dev.latchkey.nodes;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Await;
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
 * Payments that many clients make over several nodes, each until it is paid, every fourth by a
 * second client at another node as well. Safe for any thread.
 */
final class Payments implements AutoCloseable {

  static final String METHOD = "pm_slow_50";

  private static final int CLIENTS = 16;

  private final List<URI> nodes;
  private final int count;
  private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
  private final List<CompletableFuture<Void>> all = new ArrayList<>();
  private final Map<String, String> paid = new ConcurrentHashMap<>();
  private final Map<String, String> paidToSecond = new ConcurrentHashMap<>();
  private final AtomicLong refusals = new AtomicLong();
  private final AtomicLong slowestRefusalNanos = new AtomicLong();

  /** Begins all of them, a few at a time. */
  Payments(int count, List<URI> nodes) {
    this.count = count;
    this.nodes = nodes;
    for (int i = 0; i < count; i++) {
      int number = i;
      begin(() -> paid.put(key(number), pay(number, node(number))));
      if (i % 4 == 0) {
        begin(() -> paidToSecond.put(key(number), pay(number, node(number + 1))));
      }
    }
  }

  static String key(int number) {
    return "crash_" + number;
  }

  URI node(int number) {
    return nodes.get(number % nodes.size());
  }

  private void begin(Runnable payment) {
    all.add(CompletableFuture.runAsync(payment, clients));
  }

  private String pay(int number, URI node) {
    while (true) {
      long fromNanos = System.nanoTime();
      HttpResponse<String> answer = await(Payer.pay(node, key(number), METHOD));
      if (answer.statusCode() == 201) {
        return answer.body();
      }
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
      assertThat(new JsonObject(answer.body()).getBoolean("retryable")).isTrue();
      refusals.incrementAndGet();
      slowestRefusalNanos.accumulateAndGet(System.nanoTime() - fromNanos, Math::max);
      Await.pause();
    }
  }

  /** Returns what was answered 201 so far, by key. */
  Map<String, String> paid() {
    return Map.copyOf(paid);
  }

  /** Returns what was answered 201 so far to the second clients, by key. */
  Map<String, String> paidToSecond() {
    return Map.copyOf(paidToSecond);
  }

  void awaitPaid(int enough) {
    Await.until(
        enough + " are paid",
        () -> {
          all.stream().filter(CompletableFuture::isCompletedExceptionally).forEach(Await::await);
          return paid.size() >= enough;
        });
  }

  /** Waits until every client has its 201. */
  void awaitAll() {
    all.forEach(Await::await);
    assertThat(paid).hasSize(count);
  }

  /** Returns how many requests were answered 503. */
  long refusals() {
    return refusals.get();
  }

  /** Returns how long the slowest of these took. */
  Duration slowestRefusal() {
    return Duration.ofNanos(slowestRefusalNanos.get());
  }

  @Override
  public void close() {
    clients.shutdownNow();
  }
}
