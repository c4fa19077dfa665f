package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of situations fails on a service that is broken. */
class SituationTeethTest {

  @ParameterizedTest
  @CsvSource({
    "NO_RELEASE, SAME_NOT_STORED",
    "ANSWER_BEFORE_STORED, FIRST_USE",
    "RUNS_AGAIN, SAME_FINISHED_ELSEWHERE",
    "FINGERPRINT_IGNORED, OTHER_NOT_STORED",
    "FINGERPRINT_IGNORED, OTHER_RUNNING_ELSEWHERE",
    "NO_WAKE_UP, PARKED_ELSEWHERE",
    "REPLAY_MARK_MISSING, SAME_FINISHED",
    "REPLAY_MARK_MISSING, PARKED",
    "EXPIRY_MISSING, FIRST_USE",
    "ECHO_MISSING, FIRST_USE",
    "RETRY_AFTER_MISSING, STORE_AWAY",
    "LINK_MISSING, NO_KEY",
    "WAIT_IGNORED, WILL_NOT_WAIT",
    "OTHER_PARKED, OTHER_RUNNING",
  })
  void failsOn(Sabotages defect, Situation situation) {
    assertThatThrownBy(
            () -> {
              try (Scene scene = new Scene(new MemoryFixture(), defect.make())) {
                Row.of(situation).check(scene);
              }
            })
        .isInstanceOf(AssertionError.class);
  }

  @ParameterizedTest
  @EnumSource
  void everyRowNoticesAnotherStatus(Situation situation) {
    int right = Row.of(situation).status();
    Sabotage defect =
        Sabotage.ofRoutes(
            router ->
                router
                    .route()
                    .handler(
                        ctx -> {
                          ctx.addHeadersEndHandler(
                              v -> {
                                if (ctx.response().getStatusCode() == right) {
                                  ctx.response().setStatusCode(299);
                                }
                              });
                          ctx.next();
                        }));
    assertThatThrownBy(
            () -> {
              try (Scene scene = new Scene(new MemoryFixture(), defect)) {
                Row.of(situation).check(scene);
              }
            })
        .isInstanceOf(AssertionError.class);
  }
}
