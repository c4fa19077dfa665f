package dev.latchkey.bench;

import io.vertx.core.json.JsonObject;

/**
 * One row of the table of targets.
 *
 * @param work what was done
 * @param target what is required and aimed at, as the table says it
 * @param required the bound
 * @param aimed the better bound
 * @param value what was measured
 * @param text the same with its spread
 * @param more whether more is better
 */
record Finding(
    String work,
    String target,
    double required,
    double aimed,
    double value,
    String text,
    boolean more) {

  String verdict() {
    if (more ? value >= aimed : value <= aimed) {
      return "aim reached";
    }
    return (more ? value >= required : value <= required) ? "as required" : "**missed**";
  }

  JsonObject toJson() {
    return new JsonObject()
        .put("work", work)
        .put("target", target)
        .put("text", text)
        .put("verdict", verdict());
  }
}
