package dev.latchkey.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes the results as a page of Markdown. */
final class Page {

  private static final String HEAD =
      """
      # Benchmarks

      Written by `deploy/bench.sh`; do not edit. Both sides of a ratio run on the same machine in the
      same run, as processes of their own with the same JVM options and number of HTTP verticles, and
      are sent the same requests by the same load generator: one thread, a closed loop, one request at
      a time on each connection. Generator, server and store share the machine. All sides are warm
      before the first window; rounds alternate the order (A B B A). A value is the median of all
      rounds, with the first and third quartile in brackets; a ratio is taken within each round.

      - *without idempotency* is this service's own HTTP front, route, validation, in-process PSP call
        and response, with the layer removed and one INSERT per request; prepared statements are cached
        and the pool is the best of 4, 8, 16, 32 and 64 connections, found in the same run.
      - *textbook* is the same with a claim in a statement of its own, and one transaction with the
        INSERT and the completion of the key.
      - *bare* is the same front and route, which returns the same bytes from memory.

      CPU is user and system time per request, of the server's process, of all processes of Postgres,
      and of the generator.
      """;

  private Page() {}

  static void write(Path results, Path page) throws IOException {
    StringBuilder text = new StringBuilder(HEAD);
    for (Experiment experiment : Experiments.all()) {
      Path file = BenchMain.file(results, experiment.id());
      if (Files.exists(file)) {
        section(text, experiment.id(), new JsonObject(Files.readString(file)));
      } else {
        text.append("\n`").append(experiment.id()).append("`: not measured.\n");
      }
    }
    Files.createDirectories(page.toAbsolutePath().getParent());
    Files.writeString(page, text);
    System.out.println("wrote " + page);
  }

  private static void section(StringBuilder text, String id, JsonObject result) {
    text.append("\n## ").append(result.getString("title")).append("\n\n");
    JsonArray table = result.getJsonArray("table");
    for (int i = 0; i < table.size(); i++) {
      JsonArray cells = table.getJsonArray(i);
      row(text, cells.stream().map(String::valueOf).toArray(String[]::new));
      if (i == 0) {
        text.append("|---".repeat(cells.size())).append("|\n");
      }
    }
    text.append('\n');
    double busy = result.getJsonObject("machine").getDouble("busy");
    if (busy > 0.2) {
      text.append("**Measured on a busy machine (")
          .append(busy)
          .append(" busy processors): repeat on a quiet machine.**\n\n");
    }
    result.getJsonArray("notes").forEach(note -> text.append("- ").append(note).append(".\n"));
    String machine =
        new TreeMap<>(result.getJsonObject("machine").getMap())
            .entrySet().stream()
                .map(it -> it.getKey() + " " + it.getValue())
                .collect(Collectors.joining("; "));
    text.append("- `deploy/bench.sh ").append(id).append("`, ");
    text.append(result.getString("date")).append(": ").append(machine).append(".\n");
  }

  private static void row(StringBuilder text, String... cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
