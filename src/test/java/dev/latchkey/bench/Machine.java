package dev.latchkey.bench;

import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** Describes the machine of a run. */
final class Machine {

  private Machine() {}

  /** The number of busy processors, measured for a second; almost 0 before a valid run. */
  static double busyProcessors() throws IOException {
    long[] before = ticks();
    LockSupport.parkNanos(1_000_000_000L);
    long[] after = ticks();
    double part = 1.0 * (after[0] - before[0]) / Math.max(1, after[1] - before[1]);
    return Math.round(100 * part * Runtime.getRuntime().availableProcessors()) / 100.0;
  }

  /** Ticks of all processors since the start: busy ticks, all ticks. */
  private static long[] ticks() throws IOException {
    String[] words = line("/proc/stat", "cpu ").split(" +");
    long all = 0;
    for (int i = 1; i <= 8; i++) {
      all += Long.parseLong(words[i]);
    }
    return new long[] {all - Long.parseLong(words[4]) - Long.parseLong(words[5]), all};
  }

  static JsonObject describe(BenchEnvironment environment) throws IOException {
    JsonObject machine =
        new JsonObject()
            .put("processors", Runtime.getRuntime().availableProcessors())
            .put("processor", line("/proc/cpuinfo", "model name"))
            .put("memory", line("/proc/meminfo", "MemTotal"))
            .put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"))
            .put("java", Runtime.version().toString())
            .put("vertx", vertx());
    environment.versions().forEach(machine::put);
    return machine;
  }

  private static String vertx() throws IOException {
    try (InputStream in = Vertx.class.getResourceAsStream("/META-INF/vertx/vertx-version.txt")) {
      return in == null ? "unknown" : new String(in.readAllBytes()).strip();
    }
  }

  private static String line(String file, String name) throws IOException {
    return Files.readAllLines(Path.of(file)).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown");
  }
}
