package dev.latchkey.load;

import static dev.latchkey.load.Loaded.small;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.load.BrokenService.Mode;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the requests of a run go out: together, bounded, some of them hanging up. */
class LoadGeneratorTest {

  @Test
  void duplicatesOfAKeyAreSentTogether() {
    try (BrokenService service = BrokenService.untilInFlight(12)) {
      Loaded loaded = Loaded.run(small(service.url(), "--concurrency", "13", "--slow-ms", "100"));

      assertThat(loaded.exitCode()).isZero();
      assertThat(service.maxInFlight).as("three whole keys").hasValue(12);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 40})
  void concurrencyIsReachedAndNotExceeded(int concurrency) {
    try (BrokenService service = BrokenService.untilInFlight(concurrency)) {
      Loaded loaded = Loaded.run(small(service.url(), "--concurrency", "" + concurrency));

      assertThat(loaded.exitCode()).isZero();
      assertThat(service.maxInFlight).hasValue(concurrency);
      assertThat(service.connections.get()).as("kept alive").isLessThanOrEqualTo(concurrency);
    }
  }

  @Test
  void duplicatesBeforeTheFirstResponseCountAsParked() {
    try (BrokenService service = BrokenService.untilInFlight(40)) {
      JsonObject json = Loaded.run(small(service.url(), "--concurrency", "40")).json();

      assertThat(json.getLong("parked")).isEqualTo(30);
      assertThat(json.getLong("replayed")).isZero();
    }
  }

  @Test
  void duplicatesAfterTheFirstResponseCountAsReplayed() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      JsonObject json = Loaded.run(small(service.url(), "--concurrency", "1")).json();

      assertThat(json.getLong("parked")).isZero();
      assertThat(json.getLong("replayed")).isEqualTo(30);
    }
  }

  @Test
  void hangUpsAreRetriedAndCounted() {
    try (BrokenService service = BrokenService.untilSeen(80)) {
      Loaded loaded = Loaded.run(small(service.url(), "--hang-up", "1", "--concurrency", "40"));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
      assertThat(loaded.out()).contains("0 retries, 40 hang-ups");
      assertThat(loaded.json().getLong("requests")).isEqualTo(40);
      assertThat(loaded.json().getLong("executed")).isEqualTo(10);
      assertThat(loaded.json().getLong("errors")).as("hanging up is no error").isZero();
      assertThat(service.posts).hasValue(80);
    }
  }

  @Test
  void shareOfTheCallersHangsUp() {
    try (BrokenService service = BrokenService.untilSeen(41)) {
      Loaded loaded = Loaded.run(small(service.url(), "--hang-up", "0.5", "--concurrency", "40"));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
      assertThat(service.posts.get()).isBetween(41, 79);
    }
  }
}
