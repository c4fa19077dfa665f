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
 * Writes captured and stored responses to a real one. A stored response is sent as the first was:
 * status, headers, framing, body and trailers. Its body is shared, neither copied nor changed.
 */
final class ResponseSender {

  private static final String REPLAYED = "Idempotent-Replayed";

  private ResponseSender() {}

  /** Writes a stored response. Each header replaces those of its name. Sets {@code extra} last. */
  static Future<Void> write(
      HttpServerResponse real, HttpMethod method, StoredResponse stored, List<Header> extra) {
    real.setStatusCode(stored.status());
    stored.header(StoredHeaders.REASON).ifPresent(real::setStatusMessage);
    setStoredHeaders(real, stored);
    boolean unsized = isUnsized(stored);
    if (real.streamId() < 0 && (unsized || !stored.trailers().isEmpty())) {
      real.setChunked(true);
    }
    setHeaders(real, extra);
    boolean bodiless = method.equals(HttpMethod.HEAD) || stored.status() == 304;
    return end(real, unsized && !bodiless, stored);
  }

  /** Writes a captured response to its first caller. Sets {@code extra} last. */
  static Future<Void> writeFirst(
      HttpServerResponse real, CapturedResponse response, List<Header> extra) {
    real.setStatusCode(response.status());
    response.statusMessage().ifPresent(real::setStatusMessage);
    setHead(real, response.headers(), response.removed(), extra);
    return end(real, response.headFirst(), response.stored());
  }

  /** Sets the headers of a first response. It cannot pass for a replay. */
  static void setHead(
      HttpServerResponse real, List<Header> lines, Set<String> removed, List<Header> extra) {
    removed.forEach(real.headers()::remove);
    setHeaders(real, lines);
    real.headers().remove(REPLAYED);
    setHeaders(real, extra);
  }

  /** Sets lines. They replace those of their names; a repeated name is kept. */
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

  /** Compares with each earlier line; there are few. */
  private static boolean isFirstOfItsName(List<Header> lines, int index) {
    String name = lines.get(index).name();
    for (int i = 0; i < index; i++) {
      if (lines.get(i).name().equalsIgnoreCase(name)) {
        return false;
      }
    }
    return true;
  }

  /** Sets the stored headers, and removes those that the handler removed. */
  static void setStoredHeaders(HttpServerResponse real, StoredResponse stored) {
    List<Header> lines = stored.headers();
    if (lines.stream().anyMatch(StoredHeaders::isNote)) {
      for (Header line : lines) {
        if (line.name().equalsIgnoreCase(StoredHeaders.REMOVED)) {
          real.headers().remove(line.value());
        }
      }
      lines = lines.stream().filter(line -> !StoredHeaders.isNote(line)).toList();
    }
    setHeaders(real, lines);
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
    // Over HTTP/2 a response that ends at once gets a length, unless its head is sent first.
    if (unsized && real.streamId() >= 0 && !real.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
      real.writeHead();
    }
    Buffer body = stored.body();
    return body.length() == 0 ? real.end() : real.end(body);
  }
}
