package dev.latchkey.web;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * A response as a value, for a handler that makes it inside a transaction. Immutable.
 *
 * @param status the HTTP status code
 * @param headers header lines in order; a name may occur several times
 * @param body the whole body, empty for none; must not be changed afterwards
 */
public record Reply(int status, List<Header> headers, Buffer body) {

  /**
   * One header line.
   *
   * @param name such as {@code Location}
   * @param value its value
   */
  public record Header(String name, String value) {}

  /** Copies the list. */
  public Reply {
    headers = List.copyOf(headers);
  }

  /**
   * Creates a response without a body.
   *
   * @param status the HTTP status code
   * @return the response
   */
  public static Reply of(int status) {
    return new Reply(status, List.of(), Buffer.buffer());
  }

  /**
   * Creates a JSON response.
   *
   * @param status the HTTP status code
   * @param value the value to encode
   * @return the response, with its {@code Content-Type}
   */
  public static Reply json(int status, Object value) {
    return new Reply(status, List.of(), Json.encodeToBuffer(value))
        .header("Content-Type", "application/json");
  }

  /**
   * Adds a header line.
   *
   * @param name of the header
   * @param value its value
   * @return the response
   */
  public Reply header(String name, String value) {
    List<Header> more = new ArrayList<>(headers);
    more.add(new Header(name, value));
    return new Reply(status, more, body);
  }
}
