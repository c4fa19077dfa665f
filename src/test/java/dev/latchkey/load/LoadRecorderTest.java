package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class LoadRecorderTest {

  private final LoadPlan plan =
      Loaded.plan("http://127.0.0.1:8080", 2, 5, 1, OptionalDouble.empty());
  private final LoadRecorder recorder = new LoadRecorder(plan, new Violations());

  @Test
  void sendingCountsFromTheFirstWrittenRequest() {
    recorder.sendingStarts(-1_000);
    recorder.sent(-300);
    recorder.sent(-200);
    recorder.sendingEnds(700);

    assertThat(recorder.sendingNanos()).isEqualTo(1_000);
  }

  @Test
  void sendingCountsFromTheStartIfNothingWasWritten() {
    recorder.sendingStarts(-1_000);
    recorder.sendingEnds(700);

    assertThat(recorder.sendingNanos()).isEqualTo(1_700);
  }

  @Test
  void unsentRequestsOfAStoppedRunDoNotCount() {
    recorder.startedOperations(2);
    recorder.notSent(3);

    assertThat(recorder.requests()).isEqualTo(7);
  }
}
