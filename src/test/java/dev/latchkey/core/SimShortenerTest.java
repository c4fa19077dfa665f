package dev.latchkey.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A script determines its history, and a failing history becomes as short as possible. */
class SimShortenerTest {

  @ParameterizedTest
  @EnumSource(names = {"NONE", "GHOST_LEFT", "TAKEOVER_IGNORES_FINGERPRINT"})
  void sameScriptTellsTheSameStory(SimMutant mutant) {
    for (long seed = 0; seed < 300; seed++) {
      SimScript script = SimScript.of(seed, mutant);
      SimResult first = SimResult.of(script, true);
      SimResult again = SimResult.of(SimScript.parse(script.toString()), true);
      assertThat(again.story()).isEqualTo(first.story());
      assertThat(again.occurred()).isEqualTo(first.occurred());
    }
  }

  @Test
  void allowingEveryOccurredEventChangesNothing() {
    for (long seed = 0; seed < 300; seed++) {
      SimScript script = SimScript.of(seed, SimMutant.NONE);
      SimResult all = SimResult.of(script, true);
      SimScript same = SimScript.parse(script.allowing(all.occurred()).toString());
      assertThat(SimResult.of(same, true).story()).isEqualTo(all.story());
    }
  }

  @Test
  void recordingTheStoryDoesNotChangeTheHistory() {
    for (long seed = 0; seed < 300; seed++) {
      SimScript script = SimScript.of(seed, SimMutant.COMPLETE_UNFENCED);
      SimResult told = SimResult.of(script, true);
      SimResult untold = SimResult.of(script, false);
      assertThat(untold.occurred()).isEqualTo(told.occurred());
      assertThat(untold.broken().isPresent()).isEqualTo(told.broken().isPresent());
      assertThat(untold.story()).isEmpty();
    }
  }

  @Test
  void failingHistoryIsShortenedToItsNecessaryEvents() {
    SimScript failing = firstFailing(SimMutant.TAKEOVER_IGNORES_FINGERPRINT);
    SimResult whole = SimResult.of(failing, false);
    String promise = SimViolation.promise(whole.broken().orElseThrow());

    SimScript shortest = SimShortener.shorten(failing);

    SimResult run = SimResult.of(shortest, true);
    assertThat(run.broken()).map(SimViolation::promise).contains(promise);
    assertThat(run.story()).last().asString().contains("VIOLATION");
    List<String> names = new ArrayList<>(shortest.only().orElseThrow());
    assertThat(names).hasSizeLessThan(whole.occurred().size());
    for (String name : names) {
      List<String> fewer = new ArrayList<>(names);
      fewer.remove(name);
      SimResult without = SimResult.of(shortest.allowing(fewer), false);
      assertThat(without.broken().map(SimViolation::promise))
          .as("without %s", name)
          .isNotEqualTo(run.broken().map(SimViolation::promise));
    }
  }

  @Test
  void passingHistoryCannotBeShortened() {
    assertThatThrownBy(() -> SimShortener.shorten(SimScript.of(1, SimMutant.NONE)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static SimScript firstFailing(SimMutant mutant) {
    for (long seed = 0; ; seed++) {
      SimScript script = SimScript.of(seed, mutant);
      if (!SimResult.holds(script)) {
        return script;
      }
    }
  }
}
