package dev.latchkey.bench;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** The result of one experiment: a table and notes below it. */
final class Result {

  private final String title;
  private final JsonArray lines = new JsonArray();
  private final JsonArray notes = new JsonArray();

  Result(String title) {
    this.title = title;
  }

  /** Adds a line of the table; the first is its head. */
  Result line(String... cells) {
    lines.add(new JsonArray(List.of(cells)));
    return this;
  }

  /** Adds a note that gives a ratio with its spread. */
  Result ratio(String what, Spread ratio) {
    return note(what + ": " + ratio.text(2));
  }

  Result note(String text) {
    notes.add(text);
    return this;
  }

  JsonObject toJson() {
    return new JsonObject()
        .put("title", title)
        .put("date", Instant.now().truncatedTo(ChronoUnit.MINUTES).toString())
        .put("table", lines)
        .put("notes", notes);
  }
}
