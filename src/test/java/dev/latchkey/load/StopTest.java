package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.net.BaseUrl;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Stopping a run. */
class StopTest {

  private static final long LIMIT_SECONDS = 60;
  private static final int CONCURRENCY = 4;

  private final Vertx vertx = TestVertx.create();
  private final BrokenService service = BrokenService.holding();

  @AfterEach
  void close() {
    vertx.close().await();
    service.close();
  }

  private LoadRun run(int retries, OptionalDouble rate) {
    LoadPlan plan =
        new LoadPlan(
            "stop",
            List.of(BaseUrl.parse(service.url())),
            1_000,
            retries,
            CONCURRENCY,
            new Arrivals.Settings(rate, OptionalLong.empty(), Arrivals.BACKLOG),
            0,
            0,
            Optional.empty(),
            Optional.empty());
    return new LoadRun(vertx, plan, RetryPolicy.forService(0));
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  private LoadReport stopped(LoadRun run) throws Exception {
    var result = run.start().toCompletionStage().toCompletableFuture();
    get(service.held(CONCURRENCY));
    get(run.stop().toCompletionStage().toCompletableFuture());
    service.release();
    return ((LoadRun.Result.Finished) get(result)).report();
  }

  @Test
  void stopFinishesAndAuditsRequestsInFlight() throws Exception {
    LoadReport report = stopped(run(2, OptionalDouble.empty()));

    assertThat(report.lines()).anyMatch(line -> line.startsWith("  stopped   by a signal"));
    assertThat(report.verdict()).as("%s", report.lines()).isEqualTo("exactly-once");
    assertThat(report.json().getLong("keys")).isEqualTo(2);
    assertThat(report.json().getLong("requests")).isEqualTo(4);
    assertThat(report.json().getLong("executed")).isEqualTo(2);
    assertThat(service.posts).hasValue(4);
  }

  @Test
  void unsentDuplicatesOfAStoppedRunAreNotViolations() throws Exception {
    LoadReport report = stopped(run(6, OptionalDouble.empty()));

    assertThat(report.verdict()).as("%s", report.lines()).isEqualTo("exactly-once");
    assertThat(report.json().getLong("requests")).isEqualTo(4);
    assertThat(report.json().getLong("unanswered")).isZero();
    assertThat(service.posts).hasValue(4);
  }

  @Test
  void openLoopStops() throws Exception {
    LoadReport report = stopped(run(4, OptionalDouble.of(1_000)));

    assertThat(report.verdict()).as("%s", report.lines()).isEqualTo("exactly-once");
    assertThat(report.json().getLong("keys")).isEqualTo(1);
  }

  @Test
  void stopBeforeTheStartSendsNothing() throws Exception {
    LoadRun run = run(2, OptionalDouble.empty());
    get(run.stop().toCompletionStage().toCompletableFuture());
    var result = get(run.start().toCompletionStage().toCompletableFuture());

    assertThat(result).isInstanceOf(LoadRun.Result.CouldNotRun.class);
    assertThat(service.posts).hasValue(0);
  }
}
