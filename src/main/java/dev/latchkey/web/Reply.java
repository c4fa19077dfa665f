package dev.latchkey.web;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * An answer as a value, for work that makes its answer inside a transaction. Immutable.
 *
 * @param status the HTTP status code
 * @param headers header lines in order, a name as often as it is to be sent
 * @param body all bytes of the body, empty for none; not to be changed afterwards
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
   * An answer without body.
   *
   * @param status the HTTP status code
   * @return the answer
   */
  public static Reply of(int status) {
    return new Reply(status, List.of(), Buffer.buffer());
  }

  /**
   * An answer in JSON.
   *
   * @param status the HTTP status code
   * @param value what to encode
   * @return the answer, with its {@code Content-Type}
   */
  public static Reply json(int status, Object value) {
    return new Reply(status, List.of(), Json.encodeToBuffer(value))
        .header("Content-Type", "application/json");
  }

  /**
   * The same answer with one more header line.
   *
   * @param name of the header
   * @param value its value
   * @return the answer
   */
  public Reply header(String name, String value) {
    List<Header> more = new ArrayList<>(headers);
    more.add(new Header(name, value));
    return new Reply(status, more, body);
  }
}
