package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import java.util.List;
import java.util.Set;

/**
 * Writes answers to a real response. A stored one comes out as the first did: status, headers,
 * framing, body and trailers. The body is shared by all who write it at a time, neither copied nor
 * changed.
 */
public final class Replay {

  private static final String REPLAYED = "Idempotent-Replayed";

  private Replay() {}

  /**
   * Writes a stored answer. Each stored header takes the place of what the response has by that
   * name. Call on the request's context.
   *
   * @param real a response whose head is not written
   * @param method of the request that is answered
   * @param stored what to answer, retained
   * @param extra headers of this moment, set last
   * @return completes when the answer was sent, fails when the client has gone
   */
  public static Future<Void> write(
      HttpServerResponse real, HttpMethod method, StoredResponse stored, List<Header> extra) {
    real.setStatusCode(stored.status());
    setHeaders(real, visible(stored));
    boolean unsized = isUnsized(stored);
    if (real.streamId() < 0 && (unsized || !stored.trailers().isEmpty())) {
      real.setChunked(true);
    }
    setHeaders(real, extra);
    boolean bodiless = method.equals(HttpMethod.HEAD) || stored.status() == 304;
    return end(real, unsized && !bodiless, stored);
  }

  /** Writes the first answer as its handler meant it; {@code extra} is set last. */
  static Future<Void> writeFirst(HttpServerResponse real, Answer answer, List<Header> extra) {
    real.setStatusCode(answer.status());
    answer.statusMessage().ifPresent(real::setStatusMessage);
    setHead(real, answer.headers(), answer.removed(), extra);
    return end(real, answer.headFirst(), answer.stored());
  }

  /** Sets the headers of a first answer, which cannot pass for a replayed one. */
  static void setHead(
      HttpServerResponse real, List<Header> lines, Set<String> removed, List<Header> extra) {
    removed.forEach(real.headers()::remove);
    setHeaders(real, lines);
    real.headers().remove(REPLAYED);
    setHeaders(real, extra);
  }

  /** Sets lines, a repeated name as often as it comes, over what is there by those names. */
  static void setHeaders(HttpServerResponse real, List<Header> lines) {
    MultiMap headers = real.headers();
    for (int i = 0; i < lines.size(); i++) {
      Header line = lines.get(i);
      if (isFirstOfItsName(lines, i)) {
        headers.set(line.name(), line.value());
      } else {
        headers.add(line.name(), line.value());
      }
    }
  }

  /** Looks at all lines before, which are few. */
  private static boolean isFirstOfItsName(List<Header> lines, int index) {
    String name = lines.get(index).name();
    for (int i = 0; i < index; i++) {
      if (lines.get(i).name().equalsIgnoreCase(name)) {
        return false;
      }
    }
    return true;
  }

  /** The stored lines but for the note on the framing. */
  static List<Header> visible(StoredResponse stored) {
    return isUnsized(stored)
        ? stored.headers().stream().filter(line -> !isTransferEncoding(line)).toList()
        : stored.headers();
  }

  private static boolean isUnsized(StoredResponse stored) {
    for (Header line : stored.headers()) {
      if (isTransferEncoding(line)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isTransferEncoding(Header line) {
    return line.name().equalsIgnoreCase(StoredHeaders.TRANSFER_ENCODING);
  }

  private static Future<Void> end(HttpServerResponse real, boolean unsized, StoredResponse stored) {
    for (Header trailer : stored.trailers()) {
      real.trailers().add(trailer.name(), trailer.value());
    }
    // Over HTTP/2 a response that ends at once is given a length; one whose head went first is not.
    if (unsized && real.streamId() >= 0 && !real.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
      real.writeHead();
    }
    Buffer body = stored.body();
    return body.length() == 0 ? real.end() : real.end(body);
  }
}
