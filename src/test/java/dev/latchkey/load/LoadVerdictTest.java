package dev.latchkey.load;

import static dev.latchkey.load.Loaded.small;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.load.BrokenService.Mode;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the auditor finds in a service that is right, or wrong in one way. */
class LoadVerdictTest {

  @Test
  void aCorrectServiceIsExactlyOnce() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      Loaded loaded = Loaded.run(small(service.url(), "--psp-url", service.url()));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
      assertThat(loaded.out()).contains("verdict: exactly-once").contains("10 charges, at most 1");
      assertThat(loaded.complaints()).isEmpty();
      JsonObject json = loaded.json();
      assertThat(json.getString("verdict")).isEqualTo("exactly-once");
      assertThat(json.getLong("requests")).isEqualTo(40);
      assertThat(json.getLong("executed")).isEqualTo(10);
      assertThat(json.getLong("parked") + json.getLong("replayed")).isEqualTo(30);
      assertThat(json.getLong("max_effects_per_key")).isEqualTo(1);
      assertThat(service.posts).hasValue(40);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "RUNS_TWICE, had more than one effect",
    "ANSWERS_DIFFER, were given answers that differ",
    "LOSES_A_PAYMENT, were answered with a payment that is not there",
    "MARKS_NO_REPLAY, had more than one answer that is not marked as replayed",
    "REFUSES_DUPLICATES, requests were refused for good",
    "SHARES_A_CHARGE, keys share the charge of another",
    "CANNOT_BE_AUDITED, keys could not be audited",
    "HEADERS_DIFFER, were given answers that differ",
    "LISTS_ONE_AT_A_TIME, had more than one effect",
    "LIST_NEVER_ENDS, keys could not be audited",
    "BOOKS_ANOTHER_AMOUNT, are of another amount or currency than was sent",
    "LISTS_ANOTHER_CHARGE, are listed otherwise than they were answered",
    "LISTS_AS_CANCELED, are listed as something else than succeeded"
  })
  void aWrongServiceIsViolated(Mode mode, String fault) {
    try (BrokenService service = new BrokenService(mode)) {
      Loaded loaded = Loaded.run(small(service.url()));

      assertThat(loaded.exitCode()).as(loaded.out()).isEqualTo(1);
      assertThat(loaded.out()).contains("verdict: violated").contains(fault);
      assertThat(loaded.json().getString("verdict")).isEqualTo("violated");
    }
  }

  @Test
  void anEffectTooManyIsCounted() {
    try (BrokenService service = new BrokenService(Mode.RUNS_TWICE)) {
      JsonObject json = Loaded.run(small(service.url())).json();

      assertThat(json.getLong("executed")).isEqualTo(20);
      assertThat(json.getLong("max_effects_per_key")).isEqualTo(2);
    }
  }

  @Test
  void headersThatBelongToTheMomentMayDiffer() {
    try (BrokenService service = new BrokenService(Mode.HEADERS_OF_THE_MOMENT)) {
      Loaded loaded = Loaded.run(small(service.url()));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
    }
  }

  @Test
  void theNextPagesOfAListAreRead() {
    try (BrokenService service = new BrokenService(Mode.LISTS_ONE_AT_A_TIME)) {
      JsonObject json = Loaded.run(small(service.url())).json();

      assertThat(json.getLong("executed")).isEqualTo(20);
      assertThat(json.getLong("max_effects_per_key")).isEqualTo(2);
    }
  }

  @Test
  void differingAnswersAreCountedByKey() {
    try (BrokenService service = new BrokenService(Mode.ANSWERS_DIFFER)) {
      JsonObject json = Loaded.run(small(service.url())).json();

      assertThat(json.getLong("keys_with_differing_answers")).isEqualTo(10);
    }
  }

  @Test
  void aServiceThatIsNeverReadyLeavesAllUnanswered() {
    try (BrokenService service = new BrokenService(Mode.ALWAYS_503)) {
      Loaded loaded = Loaded.withFewAttempts(small(service.url()));

      assertThat(loaded.exitCode()).isEqualTo(1);
      assertThat(loaded.out()).contains("requests were never answered").contains("160 x 503");
      assertThat(loaded.json().getLong("unanswered")).isEqualTo(40);
      assertThat(loaded.json().getLong("errors")).as("four attempts each").isEqualTo(160);
    }
  }

  @Test
  void aRunAgainstADeadServiceEndsBeforeAllIsSent() {
    try (BrokenService service = new BrokenService(Mode.ALWAYS_503)) {
      Loaded loaded = Loaded.givingUp(small(service.url(), "--concurrency", "4"));

      assertThat(loaded.exitCode()).isEqualTo(1);
      assertThat(loaded.json().getLong("unanswered")).isEqualTo(40);
      assertThat(service.posts).as("those that were in flight").hasValue(4);
    }
  }

  @Test
  void requestsThatAreNeverAnsweredAreViolated() {
    try (BrokenService service = new BrokenService(Mode.NEVER_ANSWERS_SOME)) {
      Loaded loaded = Loaded.impatient(small(service.url()));

      assertThat(loaded.exitCode()).isEqualTo(1);
      assertThat(loaded.out()).contains("no answer in 4000 ms");
      assertThat(loaded.json().getLong("unanswered")).as("one key of ten").isEqualTo(4);
      assertThat(loaded.json().getLong("executed")).isEqualTo(9);
    }
  }

  @Test
  void aConflictThatMayPassIsRetriedAndCounted() {
    try (BrokenService service = new BrokenService(Mode.CONFLICT_BEFORE_ANSWER)) {
      Loaded loaded = Loaded.run(small(service.url()));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
      assertThat(loaded.json().getLong("conflicts")).isEqualTo(10);
      assertThat(loaded.json().getLong("errors")).isZero();
    }
  }
}
