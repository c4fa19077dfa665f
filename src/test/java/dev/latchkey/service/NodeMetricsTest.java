package dev.latchkey.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.IdempotencyListener;
import dev.latchkey.core.IdempotencyListener.Outcome;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Meters that are made late show what those show that were there from the start. */
class NodeMetricsTest {

  private static final AtomicInteger PARKED = new AtomicInteger(3);

  /** Every kind of event once, and each outcome. */
  private static void tellAll(IdempotencyListener listener) {
    for (Outcome outcome : Outcome.values()) {
      listener.responded(outcome);
    }
    listener.unparked(7_000_000);
    listener.woken(600_000);
    listener.takenOver();
    listener.leaseLost();
    listener.resultDiscarded();
    listener.storeCalled("recordStep", 2_000_000);
    listener.storeCalled("unheardOf", 1);
  }

  private static String scrapeOfMeters(int times) {
    NodeMeters meters = new NodeMeters();
    meters.parked(PARKED::get);
    for (int i = 0; i < times; i++) {
      tellAll(meters);
    }
    return meters.scrape();
  }

  @Test
  void whatHappensBeforeTheMetersAreMadeIsCounted() {
    NodeMetrics metrics = new NodeMetrics();
    metrics.parked(PARKED::get);
    tellAll(metrics);
    assertThat(metrics.scrape())
        .isEqualTo(scrapeOfMeters(1))
        .contains("latchkey_displaced_total 1.0", "latchkey_parked 3.0");
  }

  @Test
  void whatHappensAfterwardsIsCountedOnTop() {
    NodeMetrics metrics = new NodeMetrics();
    tellAll(metrics);
    metrics.make();
    metrics.make();
    metrics.parked(PARKED::get);
    tellAll(metrics);
    assertThat(metrics.scrape()).isEqualTo(scrapeOfMeters(2));
  }

  @Test
  void everySeriesIsThereAtTheFirstScrape() {
    NodeMetrics metrics = new NodeMetrics();
    metrics.parked(PARKED::get);
    assertThat(metrics.scrape()).isEqualTo(scrapeOfMeters(0));
  }

  @Test
  void passesEveryKindOfEventOn() {
    List<String> events =
        Arrays.stream(IdempotencyListener.class.getMethods()).map(Method::getName).toList();
    List<String> passedOn =
        Arrays.stream(NodeMetrics.class.getDeclaredMethods()).map(Method::getName).toList();
    assertThat(passedOn).containsAll(events);
  }

  @Test
  @Timeout(60)
  void whoeverTellsOfAnEventNeitherMakesTheMetersNorWaitsForThem() throws Exception {
    CountDownLatch allTold = new CountDownLatch(1);
    CompletableFuture<Thread> maker = new CompletableFuture<>();
    NodeMetrics metrics =
        new NodeMetrics(
            () -> {
              maker.complete(Thread.currentThread());
              try {
                allTold.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              return new NodeMeters();
            });
    int events = 3 * NodeMetrics.MANY_KEPT;
    for (int i = 0; i < events; i++) {
      metrics.resultDiscarded();
    }
    assertThat(maker.get()).isNotSameAs(Thread.currentThread());
    allTold.countDown();
    assertThat(line(metrics, "latchkey_displaced_total"))
        .isEqualTo("latchkey_displaced_total " + (double) events);
  }

  @Test
  void atTheBoundTheMetersAreMadeAndNothingIsLost() {
    NodeMetrics metrics = new NodeMetrics();
    for (int i = 0; i < NodeMetrics.MOST_KEPT + 5; i++) {
      metrics.resultDiscarded();
    }
    assertThat(line(metrics, "latchkey_displaced_total"))
        .isEqualTo("latchkey_displaced_total " + (NodeMetrics.MOST_KEPT + 5.0));
  }

  @Test
  void nothingIsLostWhileTheMetersAreMade() throws Exception {
    NodeMetrics metrics = new NodeMetrics();
    int threads = 4;
    int each = 5_000;
    CountDownLatch begun = new CountDownLatch(threads);
    List<Thread> tellers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      Thread teller =
          new Thread(
              () -> {
                begun.countDown();
                for (int event = 0; event < each; event++) {
                  metrics.takenOver();
                }
              });
      tellers.add(teller);
      teller.start();
    }
    begun.await();
    metrics.make();
    for (Thread teller : tellers) {
      teller.join();
    }
    assertThat(line(metrics, "latchkey_takeovers_total"))
        .isEqualTo("latchkey_takeovers_total " + (double) (threads * each));
  }

  private static String line(NodeMetrics metrics, String name) {
    return metrics
        .scrape()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .collect(Collectors.joining());
  }
}
