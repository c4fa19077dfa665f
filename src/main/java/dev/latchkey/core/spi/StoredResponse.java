package dev.latchkey.core.spi;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;

/**
 * A response as stored and replayed. Immutable: do not change the body after construction, since
 * thousands of waiters share one instance.
 *
 * @param retained false if the response was too large to store: only status and {@code Location}
 *     are known, and the operation must never run again
 * @param status the HTTP status code, 100 to 999
 * @param headers header lines in order; a name may repeat
 * @param body all bytes of the body; must not change
 * @param trailers trailer lines in order
 */
public record StoredResponse(
    boolean retained, int status, List<Header> headers, Buffer body, List<Header> trailers) {

  /**
   * One header line.
   *
   * @param name as the handler wrote it
   * @param value as the handler wrote it
   */
  public record Header(String name, String value) {}

  /** Copies the lists. */
  public StoredResponse {
    headers = List.copyOf(headers);
    trailers = List.copyOf(trailers);
  }

  /**
   * Makes a retained response without trailers.
   *
   * @param status the HTTP status code
   * @param headers header lines in order
   * @param body all bytes of the body
   * @return the response
   */
  public static StoredResponse of(int status, List<Header> headers, Buffer body) {
    return new StoredResponse(true, status, headers, body, List.of());
  }

  /**
   * Makes the record of a response that was too large to store.
   *
   * @param status the HTTP status code
   * @param location the response's {@code Location}, if any
   * @return the response, not retained
   */
  public static StoredResponse notRetained(int status, Optional<String> location) {
    List<Header> headers =
        location.map(it -> List.of(new Header("Location", it))).orElse(List.of());
    return new StoredResponse(false, status, headers, Buffer.buffer(), List.of());
  }

  /**
   * Finds the first header with a name.
   *
   * @param name in any case
   * @return its value
   */
  public Optional<String> header(String name) {
    for (Header header : headers) {
      if (header.name().equalsIgnoreCase(name)) {
        return Optional.of(header.value());
      }
    }
    return Optional.empty();
  }

  /** Returns the estimated heap bytes of this response. */
  public long weightBytes() {
    long weight = 160L + body.length();
    for (Header header : headers) {
      weight += 120L + header.name().length() + header.value().length();
    }
    for (Header trailer : trailers) {
      weight += 120L + trailer.name().length() + trailer.value().length();
    }
    return weight;
  }

  /** Omits headers and body, which may be secret. */
  @Override
  public String toString() {
    return "StoredResponse[" + status + ", " + body.length() + " bytes]";
  }
}
