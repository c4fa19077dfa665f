package dev.latchkey.client;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;

/**
 * The final response to a request: any status that a retry would not change.
 *
 * @param status HTTP status
 * @param headers of the response
 * @param body complete body
 * @param sends how often the request was sent, hedges included
 */
public record ClientResponse(int status, MultiMap headers, Buffer body, int sends) {

  /** Returns whether an earlier send had this response. */
  public boolean replayed() {
    return "true".equals(headers.get("Idempotent-Replayed"));
  }
}
