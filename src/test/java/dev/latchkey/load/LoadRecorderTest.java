package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.net.BaseUrl;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LoadRecorderTest {

  private final LoadPlan plan =
      new LoadPlan(
          "run",
          List.of(BaseUrl.parse("http://127.0.0.1:8080")),
          2,
          5,
          1,
          new Arrivals.Settings(OptionalDouble.empty(), OptionalLong.empty(), 1),
          0,
          0,
          Optional.empty(),
          Optional.empty());
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
