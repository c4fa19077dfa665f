package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProgressLineTest {

  private final StringWriter err = new StringWriter();
  private final LoadPlan plan =
      Loaded.plan("http://127.0.0.1:8080", 2, 1_000, 1, OptionalDouble.empty());
  private final LoadRecorder recorder = new LoadRecorder(plan, new Violations());

  @Test
  void fileGetsOneLinePerUpdate() {
    recorder.unanswered(0, 1_500);
    ProgressLine progress = new ProgressLine(new PrintWriter(err), false, plan.requests());
    progress.show(recorder);
    progress.show(recorder);
    progress.end();

    assertThat(err.toString()).hasLineCount(2).startsWith("1,500 of 2,000 requests finished");
    assertThat(err.toString()).doesNotContain("\r");
  }

  @Test
  void auditIsShown() {
    recorder.unanswered(0, 2_000);
    recorder.sendingEnds(System.nanoTime());
    new ProgressLine(new PrintWriter(err), false, plan.requests()).show(recorder);

    assertThat(err.toString()).startsWith("auditing; 2,000 of 2,000");
  }

  @Test
  void unknownTotalIsOmitted() {
    recorder.unanswered(0, 1_500);
    new ProgressLine(new PrintWriter(err), false, OptionalLong.empty()).show(recorder);

    assertThat(err.toString()).startsWith("1,500 requests finished");
  }

  @Test
  void terminalLineIsRewrittenAndCleared() {
    ProgressLine progress = new ProgressLine(new PrintWriter(err), true, plan.requests());
    progress.show(recorder);
    progress.show(recorder);
    progress.end();

    assertThat(err.toString()).doesNotContain("\n").endsWith("\r\u001b[K");
  }
}
