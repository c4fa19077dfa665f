package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.load.BrokenService.Mode;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Durations and rates of the load command. */
class LoadArrivalsTest {

  @Test
  void durationLimitsTheRun() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      Loaded loaded = Loaded.run(service.args("--duration 300ms --retries 2"));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
      JsonObject json = loaded.json();
      long keys = json.getLong("keys");
      assertThat(keys).isPositive();
      assertThat(json.getLong("requests")).isEqualTo(2 * keys);
      assertThat(json.getLong("executed")).isEqualTo(keys);
      assertThat(service.posts.get()).isEqualTo(2 * keys);
      assertThat(json.containsKey("not_started")).as("nothing was due").isFalse();
    }
  }

  @Test
  void firstLimitOfKeysAndDurationEndsTheRun() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      Loaded loaded = Loaded.run(service.args("--keys 3 --duration 1h"));

      assertThat(loaded.json().getLong("keys")).isEqualTo(3);
    }
  }

  @Test
  void startedKeyIsFinishedAfterTheDuration() {
    try (BrokenService service = BrokenService.untilSeen(4)) {
      Loaded loaded = Loaded.run(service.args("--duration 1ms --retries 4 --keys 1"));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
      assertThat(loaded.json().getLong("requests")).isEqualTo(4);
    }
  }

  @Test
  void openLoopSendsAllDueOperations() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      Loaded loaded = Loaded.run(service.args("--rate 100 --duration 500ms --retries 2"));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
      assertThat(loaded.json().getLong("keys")).isEqualTo(50);
      assertThat(loaded.json().getLong("not_started")).isZero();
      assertThat(service.posts).hasValue(100);
      assertThat(loaded.out()).contains("100.0 keys per second due, 0 not started");
    }
  }

  @Test
  void openLoopDoesNotWaitForResponses() {
    try (BrokenService service = BrokenService.untilInFlight(20)) {
      Loaded loaded =
          Loaded.run(service.args("--rate 1000 --keys 20 --retries 1 --concurrency 20"));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
      assertThat(service.maxInFlight).hasValue(20);
    }
  }

  @Test
  void openLoopLatencyCountsFromTheDueTime() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      String args = "--keys 10 --retries 1 --concurrency 1 --slow-ms 50";
      double closed = slowest(Loaded.run(service.args(args)));

      // The tenth waited for nine runs of 50 ms before its own, though no attempt took as long.
      assertThat(slowest(Loaded.run(service.args(args + " --rate 10000"))))
          .isGreaterThanOrEqualTo(490);
      assertThat(closed).isGreaterThanOrEqualTo(50);
    }
  }

  private static double slowest(Loaded loaded) {
    assertThat(loaded.exitCode()).as(loaded.out()).isZero();
    return loaded.json().getJsonObject("latency_ms").getJsonObject("first").getDouble("max");
  }

  @Test
  void operationsWithoutRoomAreReportedButNotViolations() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      Loaded loaded =
          Loaded.withBacklog(
              2, service.args("--keys 50 --rate 1000000 --retries 1 --concurrency 1 --slow-ms 20"));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
      JsonObject json = loaded.json();
      assertThat(json.getLong("not_started")).isPositive();
      assertThat(json.getLong("keys") + json.getLong("not_started")).isEqualTo(50);
      assertThat(json.getLong("executed")).isEqualTo(json.getLong("keys"));
      assertThat(loaded.out()).contains(json.getLong("not_started") + " not started");
    }
  }

  @Test
  void stalledOpenLoopIsAbandoned() {
    try (BrokenService service = new BrokenService(Mode.ALWAYS_503)) {
      Loaded loaded = Loaded.givingUp(service.args("--rate 100 --duration 1h --retries 1"));

      assertThat(loaded.exitCode()).isEqualTo(1);
      assertThat(loaded.json().getLong("unanswered")).isPositive();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--duration 0s, --duration",
    "--duration 10, --duration",
    "--duration 25h, --duration",
    "--rate 0, --rate",
    "--rate -5, --rate",
    "--rate NaN, --rate",
    "--rate 1000001, --rate",
    "--rate fast, --rate",
    "--rate 1000000 --duration 1h, limit of 5000000 keys",
    "--rate 0.001 --keys 100000, --keys 100000",
  })
  void invalidCombinationIsRejected(String args, String named) {
    Loaded loaded = Loaded.run(args.split(" "));

    assertThat(loaded.exitCode()).isEqualTo(2);
    assertThat(loaded.err().lines().findFirst().orElseThrow()).contains(named);
  }
}
