package dev.latchkey.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** The benchmarks of single parts, which {@code bench.sh --jmh} runs, still run. */
class PartBenchmarksTest {

  @Test
  void everyPartIsMeasured() throws RunnerException {
    System.setProperty("jmh.ignoreLock", "true");
    try {
      List<String> measured =
          new Runner(briefly()).run().stream().map(PartBenchmarksTest::nameOf).toList();
      for (String part : List.of("Fingerprint", "Capture", "StoredResponseCodec", "MemoryClaim")) {
        assertThat(measured).anyMatch(name -> name.contains("." + part + "Benchmark."));
      }
    } finally {
      System.clearProperty("jmh.ignoreLock");
    }
  }

  /** In this process, where a benchmark that fails fails the run. */
  private static Options briefly() {
    return new OptionsBuilder()
        .forks(0)
        .warmupIterations(0)
        .measurementIterations(1)
        .measurementTime(TimeValue.milliseconds(1))
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT)
        .build();
  }

  private static String nameOf(RunResult result) {
    assertThat(result.getPrimaryResult().getScore()).isPositive();
    return result.getParams().getBenchmark();
  }
}
