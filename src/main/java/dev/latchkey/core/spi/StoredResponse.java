package dev.latchkey.core.spi;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An answer as it is kept and given again. Immutable: neither the lists nor the body may be changed
 * after it is made, since thousands of waiters share one instance.
 */
public final class StoredResponse {

  private final boolean retained;
  private final int status;
  private final List<Header> headers;
  private final Buffer body;
  private final List<Header> trailers;

  /**
   * One header line.
   *
   * @param name as the handler wrote it
   * @param value as the handler wrote it
   */
  public record Header(String name, String value) {}

  /**
   * Makes an answer.
   *
   * @param retained false when the answer was too large to keep: then only status and {@code
   *     Location} are known, and the operation must never run again
   * @param status the HTTP status code, 100 to 999
   * @param headers in the order they were set, a name as often as it was sent; copied
   * @param body all bytes of the body, empty when there is none; not to be changed afterwards
   * @param trailers likewise, empty for almost every answer; copied
   */
  public StoredResponse(
      boolean retained, int status, List<Header> headers, Buffer body, List<Header> trailers) {
    this.retained = retained;
    this.status = status;
    this.headers = List.copyOf(headers);
    this.body = body;
    this.trailers = List.copyOf(trailers);
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

  /** Returns false when the answer was too large to keep. */
  public boolean retained() {
    return retained;
  }

  /** Returns the HTTP status code. */
  public int status() {
    return status;
  }

  /** Returns the header lines in the order they were set. */
  public List<Header> headers() {
    return headers;
  }

  /** Returns all bytes of the body, not to be changed. */
  public Buffer body() {
    return body;
  }

  /** Returns the trailer lines. */
  public List<Header> trailers() {
    return trailers;
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

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StoredResponse that
        && retained == that.retained
        && status == that.status
        && headers.equals(that.headers)
        && body.equals(that.body)
        && trailers.equals(that.trailers);
  }

  @Override
  public int hashCode() {
    return Objects.hash(retained, status, headers, body, trailers);
  }

  /** Says what it is, without what may be a secret: neither headers nor body. */
  @Override
  public String toString() {
    return "StoredResponse[" + status + ", " + body.length() + " bytes]";
  }
}
