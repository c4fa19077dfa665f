package dev.latchkey.idempotency.spi;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;

/**
 * An answer as it is kept and given again. Immutable: neither the lists nor the body may be changed
 * after it is made, since thousands of waiters share one instance.
 *
 * @param retained false when the answer was too large to keep: then only status and {@code
 *     Location} are known, and the operation must never run again
 * @param status the HTTP status code, 100 to 999
 * @param headers in the order they were set, a name as often as it was sent
 * @param body all bytes of the body, empty when there is none
 * @param trailers likewise, empty for almost every answer
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

  /** Copies the lists, so that nobody changes them later. */
  public StoredResponse {
    headers = List.copyOf(headers);
    trailers = List.copyOf(trailers);
  }

  /**
   * An answer without trailers.
   *
   * @param status the HTTP status code
   * @param headers header lines in order
   * @param body all bytes of the body
   * @return the answer
   */
  public static StoredResponse of(int status, List<Header> headers, Buffer body) {
    return new StoredResponse(true, status, headers, body, List.of());
  }

  /**
   * What is kept of an answer that was too large.
   *
   * @param status the HTTP status code
   * @param location where the resource is, if the answer said so
   * @return the answer, not retained
   */
  public static StoredResponse notRetained(int status, Optional<String> location) {
    List<Header> headers =
        location.map(it -> List.of(new Header("Location", it))).orElse(List.of());
    return new StoredResponse(false, status, headers, Buffer.buffer(), List.of());
  }

  /**
   * Finds the first header of a name.
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

  /** Returns roughly how many bytes this answer occupies on the heap. */
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
}
