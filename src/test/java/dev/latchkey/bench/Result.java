package dev.latchkey.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** What an experiment came to, as it is kept and printed. */
final class Result {

  private final String title;
  private final List<Finding> findings = new ArrayList<>();
  private final JsonArray lines = new JsonArray();
  private final JsonArray notes = new JsonArray();

  Result(String title) {
    this.title = title;
  }

  Result found(Finding finding) {
    findings.add(finding);
    return this;
  }

  /** Adds a line of the table; the first is its head. */
  Result line(String... cells) {
    lines.add(new JsonArray(List.of(cells)));
    return this;
  }

  Result note(String text) {
    notes.add(text);
    return this;
  }

  JsonObject toJson() {
    JsonArray found = new JsonArray();
    findings.forEach(finding -> found.add(finding.toJson()));
    return new JsonObject()
        .put("title", title)
        .put("date", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString())
        .put("findings", found)
        .put("table", lines)
        .put("notes", notes);
  }
}
