package dev.latchkey.load;

import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** What came of reading for the audit, retries included. */
sealed interface Reading {

  /**
   * A 2xx with a JSON object.
   *
   * @param object the body
   */
  record Found(JsonObject object) implements Reading {}

  /** It answered, with something else. */
  record Refused() implements Reading {}

  /**
   * It did not answer.
   *
   * @param why one line
   */
  record Silent(String why) implements Reading {}

  /** The object, if one was found. */
  default Optional<JsonObject> found() {
    return this instanceof Found found ? Optional.of(found.object()) : Optional.empty();
  }
}
