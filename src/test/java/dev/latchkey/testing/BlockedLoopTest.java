package dev.latchkey.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

class BlockedLoopTest {

  private static final StackTraceElement[] OURS = {
    new StackTraceElement("java.lang.Object", "wait", "Object.java", 1),
    new StackTraceElement("dev.latchkey.Handler", "handle", "Handler.java", 2)
  };
  private static final StackTraceElement[] NETTY = {
    new StackTraceElement("io.netty.channel.epoll.Native", "epollWait", "Native.java", 1)
  };

  private final BlockedLoopRecorder recorder = new BlockedLoopRecorder();

  @Test
  void recordsABlockedEventLoopWithItsStack() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    Vertx vertx = TestVertx.create(new VertxOptions(), recorder);
    try {
      vertx.runOnContext(
          ignored -> {
            try {
              release.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
      assertThat(recorder.await(60_000)).contains("eventloop", "was blocked", "BlockedLoopTest");
    } finally {
      release.countDown();
      vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void recordsAThreadThatWaitsInSeveralChecks() {
    sightedInARow(BlockedLoopRecorder.WAITING_CHECKS - 1, true);
    assertThat(recorder.drain()).isEmpty();
    sightedInARow(BlockedLoopRecorder.WAITING_CHECKS, true);
    assertThat(recorder.drain()).hasSize(1);
  }

  @Test
  void givesABusyThreadMoreTime() {
    sightedInARow(BlockedLoopRecorder.BUSY_CHECKS - 1, false);
    assertThat(recorder.drain()).isEmpty();
    sightedInARow(BlockedLoopRecorder.BUSY_CHECKS, false);
    assertThat(recorder.drain()).hasSize(1);
  }

  @Test
  void toleratesATaskThatOutlivesAStall() {
    sighted(600, OURS, 10_000);
    sighted(30_600, OURS, 40_000);
    sighted(31_100, OURS, 40_500);
    sighted(31_600, OURS, 41_000);
    assertThat(recorder.drain()).isEmpty();
  }

  @Test
  void toleratesAStalledMachine() {
    // A late thread after one stall, and another task that is late after a second stall.
    sighted(30_000, OURS, 40_000);
    sighted(2_500, OURS, 50_000);
    // Late, but not in our code.
    sighted(2_500, NETTY, 60_000);
    sighted(3_000, NETTY, 60_500);
    assertThat(recorder.drain()).isEmpty();
  }

  @Test
  void aBlockedLoopFailsTheTestThatIsRunning() {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(selectClass(BlocksALoop.class))
            .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
            .build();
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    Launcher launcher = LauncherFactory.create();
    launcher.execute(request, summary);
    assertThat(summary.getSummary().getTestsFoundCount()).isEqualTo(1);
    assertThat(summary.getSummary().getFailures())
        .singleElement()
        .satisfies(
            failure ->
                assertThat(failure.getException())
                    .hasMessageContaining("blocked an event loop")
                    .hasMessageContaining("dev.latchkey.Handler.handle"));
  }

  /** One task that begins at 0. */
  private void sightedInARow(int checks, boolean waits) {
    sighted(0, NETTY, 0);
    for (int check = 1; check <= checks; check++) {
      long nanos = check * 40_000_000L;
      recorder.sighted(Thread.currentThread(), waits, nanos, OURS, nanos);
    }
  }

  private void sighted(long busyMillis, StackTraceElement[] stack, long nowMillis) {
    recorder.sighted(
        Thread.currentThread(), true, busyMillis * 1_000_000, stack, nowMillis * 1_000_000);
  }

  /** Run by the test above alone: nested classes are not looked for. */
  static class BlocksALoop {

    @Test
    void blocks() {
      BlockedLoopRecorder shared = BlockedLoopRecorder.shared();
      for (long check = 1; check <= BlockedLoopRecorder.WAITING_CHECKS; check++) {
        long nanos = check * 40_000_000;
        shared.sighted(Thread.currentThread(), true, nanos, OURS, nanos);
      }
    }
  }
}
