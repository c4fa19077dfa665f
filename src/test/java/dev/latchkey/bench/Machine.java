package dev.latchkey.bench;

import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** What was measured on. */
final class Machine {

  private Machine() {}

  /** The load average of the last minute, which should be next to nothing before a run. */
  static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  static JsonObject describe(Stage stage) throws IOException {
    JsonObject machine =
        new JsonObject()
            .put("processors", Runtime.getRuntime().availableProcessors())
            .put("processor", line("/proc/cpuinfo", "model name"))
            .put("memory", line("/proc/meminfo", "MemTotal"))
            .put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"))
            .put("java", Runtime.version().toString())
            .put("vertx", vertx());
    stage.versions().forEach(machine::put);
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
