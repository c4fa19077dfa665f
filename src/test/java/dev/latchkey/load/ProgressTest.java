package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.net.BaseUrl;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProgressTest {

  private final StringWriter err = new StringWriter();
  private final LoadPlan plan =
      new LoadPlan(
          "run",
          List.of(BaseUrl.parse("http://127.0.0.1:8080")),
          2,
          1_000,
          1,
          new Pace(OptionalDouble.empty(), OptionalLong.empty(), 1),
          0,
          0,
          Optional.empty(),
          Optional.empty());
  private final LoadRecorder recorder = new LoadRecorder(plan, new Findings());

  @Test
  void aFileGetsOneLineEachTime() {
    recorder.unanswered(0, 1_500);
    Progress progress = new Progress(new PrintWriter(err), false, plan.requests());
    progress.show(recorder);
    progress.show(recorder);
    progress.end();

    assertThat(err.toString()).hasLineCount(2).startsWith("1,500 of 2,000 requests over");
    assertThat(err.toString()).doesNotContain("\r");
  }

  @Test
  void onceAllIsSentItSaysThatItAudits() {
    recorder.unanswered(0, 2_000);
    recorder.sendingEnds(System.nanoTime());
    new Progress(new PrintWriter(err), false, plan.requests()).show(recorder);

    assertThat(err.toString()).startsWith("auditing; 2,000 of 2,000");
  }

  @Test
  void withoutATotalItCounts() {
    recorder.unanswered(0, 1_500);
    new Progress(new PrintWriter(err), false, OptionalLong.empty()).show(recorder);

    assertThat(err.toString()).startsWith("1,500 requests over");
  }

  @Test
  void aTerminalGetsOneLineRewrittenAndCleared() {
    Progress progress = new Progress(new PrintWriter(err), true, plan.requests());
    progress.show(recorder);
    progress.show(recorder);
    progress.end();

    assertThat(err.toString()).doesNotContain("\n").endsWith("\r\u001b[K");
  }
}
