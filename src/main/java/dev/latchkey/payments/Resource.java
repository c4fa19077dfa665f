package dev.latchkey.payments;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;

/** What the body of a successful answer says. Immutable. */
@FunctionalInterface
interface Resource {

  /** As an object, for whoever reads it here. */
  JsonObject json();

  /** As the client reads it: the bytes of {@link #json}. */
  default Buffer bytes() {
    return json().toBuffer();
  }
}
