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
 * The scripts in {@code deploy/load}. Two scripts of ten seconds at full speed or at a fixed rate
 * are left out, because they would starve other tests.
 */
class LoadScriptsIT {

  private static final long LIMIT_SECONDS = 240;

  /** The result of a script. */
  private record Run(int code, List<String> output) {
    String lastLine() {
      return output.get(output.size() - 1);
    }
  }

  @TempDir private Path dir;

  private Run run(Map<String, String> environment, String script, String... args) {
    Path file = dir.resolve("output");
    ProcessBuilder builder = new ProcessBuilder("sh", "deploy/load/" + script);
    builder.command().addAll(Arrays.asList(args));
    builder.environment().keySet().removeIf(name -> name.startsWith("LATCHKEY_"));
    builder.environment().put("LATCHKEY_JAR", System.getProperty("latchkey.jar"));
    builder.environment().put("JAVA", Path.of(System.getProperty("java.home"), "bin/java") + "");
    builder.environment().putAll(environment);
    try {
      Process process = builder.redirectErrorStream(true).redirectOutput(file.toFile()).start();
      boolean ended;
      try {
        ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      } finally {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
      }
      List<String> output = Files.readAllLines(file, StandardCharsets.UTF_8);
      assertThat(ended).as("ended: %s", output).isTrue();
      return new Run(process.exitValue(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"retry-storm.sh", "hot-key.sh", "replays.sh"})
  void passesOnACorrectService(String script) {
    // A service per script, because each audit reads all its payments.
    try (LatchkeyProcess service = LatchkeyProcess.ready("serve", "--port", "0")) {
      Run run = run(Map.of(), script, service.url().toString());

      assertThat(run.code).as("%s", run.output).isZero();
      assertThat(run.lastLine()).startsWith("PASS: ");
      assertThat(run.output).anyMatch(line -> line.contains("exactly-once"));
    }
  }

  @Test
  void twoNodesPassThoughOneIsKilled() {
    Run run =
        run(Map.of("LATCHKEY_POSTGRES_URI", RealServers.freshDatabase().uri()), "two-nodes.sh");

    assertThat(run.code).as("%s", run.output).isZero();
    assertThat(run.lastLine()).startsWith("PASS: two nodes");
  }

  @Test
  void failsOnAServiceThatExecutesTwice() {
    try (BrokenService broken = new BrokenService(Mode.EXECUTES_TWICE)) {
      Run run = run(Map.of("URL", broken.url()), "replays.sh");

      assertThat(run.code).as("%s", run.output).isEqualTo(1);
      assertThat(run.lastLine()).startsWith("FAIL: ");
    }
  }

  @Test
  void notRunWithoutAService() {
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
  void helpNeverPasses(String script) {
    Run run = run(Map.of(), script, "http://127.0.0.1:1", "--help");

    assertThat(run.code).as("%s", run.output).isZero();
    assertThat(run.output).noneMatch(line -> line.startsWith("PASS: "));
    assertThat(run.output).anyMatch(line -> line.contains("LATCHKEY_JAR"));
  }

  @Test
  void notRunWithoutTheJar() {
    Run run = run(Map.of("LATCHKEY_JAR", dir + "/none.jar"), "hot-key.sh");

    assertThat(run.code).isEqualTo(2);
    assertThat(run.lastLine()).startsWith("hot-key.sh: no " + dir + "/none.jar");
  }
}
