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
  void correctServiceIsExactlyOnce() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      Loaded loaded = Loaded.run(small(service.url(), "--psp-url", service.url()));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
      assertThat(loaded.out()).contains("verdict: exactly-once").contains("10 charges, at most 1");
      assertThat(loaded.errors()).isEmpty();
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
    "EXECUTES_TWICE, had more than one effect",
    "RESPONSES_DIFFER, got responses that differ",
    "LOSES_A_PAYMENT, got a response with a payment that does not exist",
    "MARKS_NO_REPLAY, got more than one response that is not marked as replayed",
    "REFUSES_DUPLICATES, requests were refused for good",
    "SHARES_A_CHARGE, keys share a charge with another key",
    "CANNOT_BE_AUDITED, keys could not be audited",
    "HEADERS_DIFFER, got responses that differ",
    "LISTS_ONE_AT_A_TIME, had more than one effect",
    "LIST_NEVER_ENDS, keys could not be audited",
    "STORES_ANOTHER_AMOUNT, have another amount or currency than was sent",
    "LISTS_ANOTHER_CHARGE, are listed differently from the response",
    "LISTS_AS_CANCELED, are listed with another status than succeeded"
  })
  void defectIsReportedAsViolation(Mode mode, String fault) {
    try (BrokenService service = new BrokenService(mode)) {
      Loaded loaded = Loaded.run(small(service.url()));

      assertThat(loaded.exitCode()).as(loaded.out()).isEqualTo(1);
      assertThat(loaded.out()).contains("verdict: violated").contains(fault);
      assertThat(loaded.json().getString("verdict")).isEqualTo("violated");
    }
  }

  @Test
  void secondEffectIsCounted() {
    try (BrokenService service = new BrokenService(Mode.EXECUTES_TWICE)) {
      JsonObject json = Loaded.run(small(service.url())).json();

      assertThat(json.getLong("executed")).isEqualTo(20);
      assertThat(json.getLong("max_effects_per_key")).isEqualTo(2);
    }
  }

  @Test
  void headersOfTheMomentMayDiffer() {
    try (BrokenService service = new BrokenService(Mode.HEADERS_OF_THE_MOMENT)) {
      Loaded loaded = Loaded.run(small(service.url()));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
    }
  }

  @Test
  void allPagesOfAListAreRead() {
    try (BrokenService service = new BrokenService(Mode.LISTS_ONE_AT_A_TIME)) {
      JsonObject json = Loaded.run(small(service.url())).json();

      assertThat(json.getLong("executed")).isEqualTo(20);
      assertThat(json.getLong("max_effects_per_key")).isEqualTo(2);
    }
  }

  @Test
  void differingResponsesAreCountedPerKey() {
    try (BrokenService service = new BrokenService(Mode.RESPONSES_DIFFER)) {
      JsonObject json = Loaded.run(small(service.url())).json();

      assertThat(json.getLong("keys_with_differing_answers")).isEqualTo(10);
    }
  }

  @Test
  void unavailableServiceLeavesAllRequestsUnanswered() {
    try (BrokenService service = new BrokenService(Mode.ALWAYS_503)) {
      Loaded loaded = Loaded.withFewAttempts(small(service.url()));

      assertThat(loaded.exitCode()).isEqualTo(1);
      assertThat(loaded.out()).contains("requests got no final response").contains("160 x 503");
      assertThat(loaded.json().getLong("unanswered")).isEqualTo(40);
      assertThat(loaded.json().getLong("errors")).as("four attempts each").isEqualTo(160);
    }
  }

  @Test
  void stalledRunIsAbandoned() {
    try (BrokenService service = new BrokenService(Mode.ALWAYS_503)) {
      Loaded loaded = Loaded.givingUp(small(service.url(), "--concurrency", "4"));

      assertThat(loaded.exitCode()).isEqualTo(1);
      assertThat(loaded.json().getLong("unanswered")).isEqualTo(40);
      assertThat(service.posts).as("those that were in flight").hasValue(4);
    }
  }

  @Test
  void unansweredRequestsAreViolations() {
    try (BrokenService service = new BrokenService(Mode.SOME_WITHOUT_RESPONSE)) {
      Loaded loaded = Loaded.withShortAttempts(small(service.url()));

      assertThat(loaded.exitCode()).isEqualTo(1);
      assertThat(loaded.out()).contains("no response in 4000 ms");
      assertThat(loaded.json().getLong("unanswered")).as("one key of ten").isEqualTo(4);
      assertThat(loaded.json().getLong("executed")).isEqualTo(9);
    }
  }

  @Test
  void retryableConflictIsRetriedAndCounted() {
    try (BrokenService service = new BrokenService(Mode.CONFLICT_BEFORE_RESPONSE)) {
      Loaded loaded = Loaded.run(small(service.url()));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
      assertThat(loaded.json().getLong("conflicts")).isEqualTo(10);
      assertThat(loaded.json().getLong("errors")).isZero();
    }
  }
}
