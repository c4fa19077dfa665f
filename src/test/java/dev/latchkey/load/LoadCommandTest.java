package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.load.BrokenService.Mode;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LoadCommandTest {

  private static final String[] SMALL = {"--keys", "10", "--retries", "4", "--json", "--url"};

  private static String[] small(String url, String... more) {
    String[] args = new String[SMALL.length + 1 + more.length];
    System.arraycopy(SMALL, 0, args, 0, SMALL.length);
    args[SMALL.length] = url;
    System.arraycopy(more, 0, args, SMALL.length + 1, more.length);
    return args;
  }

  @Test
  void aCorrectServiceIsExactlyOnce() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      Loaded loaded = Loaded.run(small(service.url(), "--psp-url", service.url()));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
      assertThat(loaded.out()).contains("verdict: exactly-once").contains("10 charges, at most 1");
      assertThat(loaded.err()).isEmpty();
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
  void whatTheServiceSaysIsShownWithoutControlCharactersAndCut() {
    try (BrokenService service = new BrokenService(Mode.REFUSES_WITH_ESCAPES)) {
      Loaded loaded = Loaded.run(small(service.url()));

      assertThat(loaded.out()).contains("[2J31mxxx").doesNotContainPattern("[\\p{Cc}&&[^\n]]");
      assertThat(loaded.out()).doesNotContain("x".repeat(201));
    }
  }

  @Test
  void aResultThatCannotBePrintedIsNoSuccess() {
    Writer full =
        new Writer() {
          @Override
          public void write(char[] text, int offset, int length) throws IOException {
            throw new IOException("No space left on device");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      Loaded loaded = Loaded.printingTo(full, small(service.url()));

      assertThat(loaded.exitCode()).isEqualTo(2);
      assertThat(loaded.err()).contains("standard output");
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
  void chargesThatNoPaymentShowsAreFoundAtThePsp() {
    try (BrokenService service = new BrokenService(Mode.CHARGES_TWICE)) {
      assertThat(Loaded.run(small(service.url())).exitCode()).isZero();

      Loaded audited = Loaded.run(small(service.url(), "--psp-url", service.url()));
      assertThat(audited.exitCode()).isEqualTo(1);
      assertThat(audited.out()).contains("20 charges for 10 keys");
    }
  }

  @Test
  void chargesUnderOneKeyAreFoundAtThePsp() {
    try (BrokenService service = new BrokenService(Mode.CHARGES_TWICE_UNDER_A_KEY)) {
      Loaded audited = Loaded.run(small(service.url(), "--psp-url", service.url()));

      assertThat(audited.exitCode()).isEqualTo(1);
      assertThat(audited.out()).contains("2 charges under its key").contains("under one key");
    }
  }

  @Test
  void aPspThatHasBeenUsedBeforeIsComparedWithWhatItSaidBefore() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      Loaded.run(small(service.url()));
      Loaded audited = Loaded.run(small(service.url(), "--psp-url", service.url()));

      assertThat(audited.exitCode()).as(audited.out()).isZero();
      assertThat(audited.out()).contains("10 charges, at most 1");
    }
  }

  @Test
  void aPspThatOthersUseProvesNothing() {
    try (BrokenService service = new BrokenService(Mode.OTHERS_CHARGE)) {
      Loaded loaded = Loaded.run(small(service.url(), "--psp-url", service.url()));

      assertThat(loaded.exitCode()).isEqualTo(2);
      assertThat(loaded.err()).contains("others use the PSP at " + service.url());
      assertThat(service.posts).hasValue(0);
    }
  }

  @Test
  void chargesThatThePspDoesNotKnowAreAFault() {
    try (BrokenService service = new BrokenService(Mode.CORRECT);
        BrokenService other = new BrokenService(Mode.CORRECT)) {
      Loaded loaded = Loaded.run(small(service.url(), "--psp-url", other.url()));

      assertThat(loaded.exitCode()).isEqualTo(1);
      assertThat(loaded.out()).contains("0 charges for 10 keys").contains(": not there");
    }
  }

  @Test
  void aServiceThatIsNeverReadyLeavesAllUnanswered() {
    try (BrokenService service = new BrokenService(Mode.ALWAYS_503)) {
      Loaded loaded = Loaded.impatient(small(service.url()));

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
      assertThat(loaded.out()).contains("no answer in 400 ms");
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

  @Test
  void nothingThereCouldNotRun() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      free = socket.getLocalPort();
    }
    Loaded loaded = Loaded.run("--url", "http://127.0.0.1:" + free);

    assertThat(loaded.exitCode()).isEqualTo(2);
    assertThat(loaded.err())
        .contains("nothing answers at http://127.0.0.1:" + free)
        .hasLineCount(1);
    assertThat(loaded.out()).isEmpty();
  }

  @Test
  void anotherServiceCouldNotRun() {
    try (BrokenService service = new BrokenService(Mode.NO_PAYMENTS_API)) {
      Loaded loaded = Loaded.run("--url", service.url());

      assertThat(loaded.exitCode()).isEqualTo(2);
      assertThat(loaded.err()).contains("GET /v1/payments with 404");
    }
  }

  @Test
  void theJsonHasTheMembersOfTheContract() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      JsonObject json = Loaded.run(small(service.url(), "--slow-ms", "20")).json();

      assertThat(json.fieldNames())
          .containsExactly(
              "verdict",
              "keys",
              "requests",
              "executed",
              "parked",
              "replayed",
              "conflicts",
              "errors",
              "unanswered",
              "max_effects_per_key",
              "keys_with_differing_answers",
              "throughput_per_second",
              "latency_ms",
              "wake_ms");
      JsonObject latency = json.getJsonObject("latency_ms");
      assertThat(latency.fieldNames()).containsExactly("first", "parked", "replayed");
      for (String kind : latency.fieldNames()) {
        assertThat(latency.getJsonObject(kind).fieldNames())
            .containsExactly("p50", "p90", "p99", "max");
      }
      assertThat(json.getJsonObject("wake_ms").fieldNames()).containsExactly("p50", "p99", "max");
      assertThat(latency.getJsonObject("first").getDouble("p50")).isGreaterThanOrEqualTo(20);
      assertThat(service.lastMethod).isEqualTo("pm_slow_20");
    }
  }

  @Test
  void theDuplicatesOfAKeyGoOutTogether() {
    try (BrokenService service = BrokenService.untilInFlight(12)) {
      Loaded loaded = Loaded.run(small(service.url(), "--concurrency", "13", "--slow-ms", "100"));

      assertThat(loaded.exitCode()).isZero();
      assertThat(service.maxInFlight).as("three whole keys").hasValue(12);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 4, 40})
  void requestsInFlightAreBoundedAndReached(int concurrency) {
    try (BrokenService service = BrokenService.untilInFlight(concurrency)) {
      Loaded loaded = Loaded.run(small(service.url(), "--concurrency", "" + concurrency));

      assertThat(loaded.exitCode()).isZero();
      assertThat(service.maxInFlight).hasValue(concurrency);
      assertThat(service.connections.get()).as("kept alive").isLessThanOrEqualTo(concurrency);
    }
  }

  @Test
  void duplicatesSentBeforeTheFirstAnswerCountAsParked() {
    try (BrokenService service = BrokenService.untilInFlight(40)) {
      JsonObject json = Loaded.run(small(service.url(), "--concurrency", "40")).json();

      assertThat(json.getLong("parked")).isEqualTo(30);
      assertThat(json.getLong("replayed")).isZero();
    }
  }

  @Test
  void duplicatesSentAfterTheFirstAnswerCountAsReplayed() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      JsonObject json = Loaded.run(small(service.url(), "--concurrency", "1")).json();

      assertThat(json.getLong("parked")).isZero();
      assertThat(json.getLong("replayed")).isEqualTo(30);
    }
  }

  @Test
  void callersThatHangUpRetryWithTheirKeyAndAreCounted() {
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
  void aShareOfTheCallersHangsUp() {
    try (BrokenService service = BrokenService.untilSeen(41)) {
      Loaded loaded = Loaded.run(small(service.url(), "--hang-up", "0.5", "--concurrency", "40"));

      assertThat(loaded.exitCode()).as(loaded.out()).isZero();
      assertThat(service.posts.get()).isBetween(41, 79);
    }
  }

  @Test
  void theApiKeyIsSentAndNeverShown() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      Loaded loaded = Loaded.run(small(service.url(), "--api-key", "s3cret"));

      assertThat(service.lastAuthorization).isEqualTo("Bearer s3cret");
      assertThat(loaded.out() + loaded.err()).doesNotContain("s3cret");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--keys, 0",
    "--keys, many",
    "--retries, 0",
    "--concurrency, -1",
    "--slow-ms, 60001",
    "--hang-up, 1.5",
    "--hang-up, NaN",
    "--url, ftp://127.0.0.1",
    "--url, localhost:8080",
    "--url, 'http://127.0.0.1,'",
    "--url, ',http://127.0.0.1'",
    "--url, ''",
    "--psp-url, http://",
  })
  void aBadValueIsNamed(String option, String value) {
    Loaded loaded = Loaded.run(option, value);

    assertThat(loaded.exitCode()).isEqualTo(2);
    String firstLine = loaded.err().lines().findFirst().orElseThrow();
    assertThat(firstLine).contains(option).contains(value);
  }

  @Test
  void anUnreadableApiKeyIsNotShown() {
    Loaded loaded = Loaded.run("--api-key", "two words");

    assertThat(loaded.exitCode()).isEqualTo(2);
    assertThat(loaded.err()).contains("--api-key").doesNotContain("two words");
  }

  @Test
  void aPspThatIsNotThereCouldNotRun() {
    try (BrokenService service = new BrokenService(Mode.CORRECT)) {
      Loaded loaded = Loaded.impatient(small(service.url(), "--psp-url", "http://127.0.0.1:1"));

      assertThat(loaded.exitCode()).isEqualTo(2);
      assertThat(loaded.err()).contains("no counts from the PSP at http://127.0.0.1:1/stats");
      assertThat(service.posts).hasValue(0);
    }
  }

  @Test
  void aPspThatIsNotReadyIsAskedOnce() {
    try (BrokenService service = new BrokenService(Mode.PSP_NOT_READY)) {
      Loaded loaded = Loaded.run(small(service.url(), "--psp-url", service.url()));

      assertThat(loaded.exitCode()).isEqualTo(2);
      assertThat(loaded.err()).contains("no counts from the PSP at " + service.url() + "/stats");
      assertThat(service.looksAtPsp).hasValue(1);
    }
  }

  @Test
  void helpNamesEveryOption() {
    Loaded loaded = Loaded.run("--help");

    assertThat(loaded.exitCode()).isZero();
    assertThat(loaded.out())
        .contains("--url", "--keys", "--retries", "--concurrency", "--slow-ms", "--hang-up")
        .contains("--api-key", "--psp-url", "--json", "http://127.0.0.1:8080")
        .contains("--duration", "--rate", "--report", "--config");
  }
}
