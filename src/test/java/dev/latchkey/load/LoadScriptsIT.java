package dev.latchkey.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.load.BrokenService.Mode;
import dev.latchkey.service.LatchkeyProcess;
import dev.latchkey.testing.servers.RealServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scripts in {@code deploy/load}, as they are. Two that pay for ten seconds as fast as they can, or
 * by the clock, are left to people: here they would keep the processors from other tests.
 */
class LoadScriptsIT {

  private static final long LIMIT_SECONDS = 240;

  /** What a script came to. */
  private record Run(int code, List<String> said) {
    String lastLine() {
      return said.get(said.size() - 1);
    }
  }

  @TempDir private Path dir;

  private Run run(Map<String, String> environment, String script, String... args) {
    Path output = dir.resolve("output");
    ProcessBuilder builder = new ProcessBuilder("sh", "deploy/load/" + script);
    builder.command().addAll(Arrays.asList(args));
    builder.environment().keySet().removeIf(name -> name.startsWith("LATCHKEY_"));
    builder.environment().put("LATCHKEY_JAR", System.getProperty("latchkey.jar"));
    builder.environment().put("JAVA", Path.of(System.getProperty("java.home"), "bin/java") + "");
    builder.environment().putAll(environment);
    try {
      Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
      boolean ended;
      try {
        ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
      List<String> said = Files.readAllLines(output, StandardCharsets.UTF_8);
      assertThat(ended).as("ended, having said %s", said).isTrue();
      return new Run(process.exitValue(), said);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"retry-storm.sh", "hot-key.sh", "replays.sh"})
  void provesWhatItSaysOnServiceThatIsRight(String script) {
    // Of its own: each audit reads every payment that its service has.
    try (LatchkeyProcess service = LatchkeyProcess.ready("serve", "--port", "0")) {
      Run run = run(Map.of(), script, service.url().toString());

      assertThat(run.code).as("%s", run.said).isZero();
      assertThat(run.lastLine()).startsWith("PASS: ");
      assertThat(run.said).anyMatch(line -> line.contains("exactly-once"));
    }
  }

  @Test
  void twoNodesAreOneServiceThoughOneIsKilled() {
    Run run =
        run(Map.of("LATCHKEY_POSTGRES_URI", RealServers.freshDatabase().uri()), "two-nodes.sh");

    assertThat(run.code).as("%s", run.said).isZero();
    assertThat(run.lastLine()).startsWith("PASS: two nodes");
  }

  @Test
  void failsOnServiceThatRunsWhatItHasRun() {
    try (BrokenService broken = new BrokenService(Mode.RUNS_TWICE)) {
      Run run = run(Map.of("URL", broken.url()), "replays.sh");

      assertThat(run.code).as("%s", run.said).isEqualTo(1);
      assertThat(run.lastLine()).startsWith("FAIL: ");
    }
  }

  @Test
  void saysThatItDidNotRunWithoutService() {
    Run run = run(Map.of(), "unique-keys.sh", "http://127.0.0.1:1");

    assertThat(run.code).isEqualTo(2);
    assertThat(run.lastLine()).startsWith("NOT RUN: ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "retry-storm.sh",
        "hot-key.sh",
        "unique-keys.sh",
        "replays.sh",
        "flaky-clients.sh",
        "two-nodes.sh"
      })
  void helpIsNoProofWhereverItIsAskedFor(String script) {
    Run run = run(Map.of(), script, "http://127.0.0.1:1", "--help");

    assertThat(run.code).as("%s", run.said).isZero();
    assertThat(run.said).noneMatch(line -> line.startsWith("PASS: "));
    assertThat(run.said).anyMatch(line -> line.contains("LATCHKEY_JAR"));
  }

  @Test
  void saysWhatToDoWithoutJar() {
    Run run = run(Map.of("LATCHKEY_JAR", dir + "/none.jar"), "hot-key.sh");

    assertThat(run.code).isEqualTo(2);
    assertThat(run.lastLine()).startsWith("hot-key.sh: no " + dir + "/none.jar");
  }
}
