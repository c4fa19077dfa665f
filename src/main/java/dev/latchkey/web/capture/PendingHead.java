package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse.Header;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Status, headers and trailers of a captured response; starts as a copy of the real one. Guarded by
 * the lock of its {@link ResponseRecorder}.
 */
final class PendingHead {

  final HttpVersion version;
  final MultiMap headers;
  final MultiMap trailers;
  private final MultiMap before;
  private final int statusBefore;
  private final boolean chunkedBefore;
  private int status;
  private @Nullable String message;
  private boolean chunked;

  PendingHead(HttpServerResponse real, HttpVersion version) {
    this(
        version,
        HttpHeaders.headers(version).addAll(real.headers()),
        real.getStatusCode(),
        real.isChunked());
  }

  private PendingHead(HttpVersion version, MultiMap before, int status, boolean chunked) {
    this.version = version;
    this.before = before;
    statusBefore = status;
    chunkedBefore = chunked;
    headers = HttpHeaders.headers(version).addAll(before);
    trailers = HttpHeaders.headers(version);
    this.status = status;
    this.chunked = chunked;
  }

  /** Returns a head like this one at its start. */
  PendingHead restarted() {
    return new PendingHead(version, before, statusBefore, chunkedBefore);
  }

  boolean isHttp1() {
    return version != HttpVersion.HTTP_2;
  }

  int status() {
    return status;
  }

  void setStatus(int code) {
    status =
        message != null && isHttp1()
            ? new HttpResponseStatus(code, message).code()
            : HttpResponseStatus.valueOf(code).code();
  }

  Optional<String> explicitMessage() {
    return Optional.ofNullable(message);
  }

  String message() {
    return message != null ? message : HttpResponseStatus.valueOf(status).reasonPhrase();
  }

  void setMessage(String text) {
    message = isHttp1() ? new HttpResponseStatus(status, text).reasonPhrase() : text;
  }

  boolean isChunked() {
    return isHttp1()
        ? headers.contains(HttpHeaders.TRANSFER_ENCODING, HttpHeaders.CHUNKED, true)
        : chunked;
  }

  void setChunked(boolean on) {
    if (version == HttpVersion.HTTP_1_1 && on) {
      headers.set(HttpHeaders.TRANSFER_ENCODING, HttpHeaders.CHUNKED);
    } else if (version == HttpVersion.HTTP_1_1) {
      headers.remove(HttpHeaders.TRANSFER_ENCODING);
    } else if (version == HttpVersion.HTTP_2) {
      chunked = true;
    }
  }

  boolean isSized() {
    return headers.contains(HttpHeaders.CONTENT_LENGTH);
  }

  /** Sets the length of a body written at once, if the real response would. */
  void size(HttpMethod method, long bodyBytes) {
    boolean bodiless = method.equals(HttpMethod.HEAD) || status == 304;
    boolean framed = isHttp1() && headers.contains(HttpHeaders.TRANSFER_ENCODING);
    if (!bodiless && !framed && !isSized()) {
      headers.set(HttpHeaders.CONTENT_LENGTH, Long.toString(bodyBytes));
    }
  }

  /** Checks that the framing of the body is known, as the real response does on a write. */
  void checkFramed() {
    if (version == HttpVersion.HTTP_1_1
        && !isSized()
        && !headers.contains(HttpHeaders.TRANSFER_ENCODING)) {
      throw new IllegalStateException(
          "You must set the Content-Length header to be the total size of the message "
              + "body BEFORE sending any data if you are not using HTTP chunked encoding.");
    }
  }

  /** Returns the header lines that differ from those at the start. */
  List<Header> changed() {
    // Without a capacity: HTTP/1 headers build a set to count their names.
    List<Header> lines = new ArrayList<>();
    for (Map.Entry<String, String> line : headers) {
      if (!isAsBefore(line.getKey())) {
        lines.add(new Header(line.getKey(), line.getValue()));
      }
    }
    return lines;
  }

  private boolean isAsBefore(String name) {
    return before.contains(name) && headers.getAll(name).equals(before.getAll(name));
  }

  Set<String> removed() {
    Set<String> removed = Set.of();
    for (Map.Entry<String, String> line : before) {
      if (!headers.contains(line.getKey())) {
        removed = removed.isEmpty() ? new HashSet<>() : removed;
        removed.add(line.getKey().toLowerCase(Locale.ROOT));
      }
    }
    return removed;
  }

  /** Returns the trailers that are sent: over HTTP/1 only those of a chunked body. */
  List<Header> sentTrailers() {
    if (trailers.isEmpty()) {
      return List.of();
    }
    List<Header> lines = new ArrayList<>();
    if (!isHttp1() || isChunked()) {
      trailers.forEach((name, value) -> lines.add(new Header(name, value)));
    }
    return lines;
  }
}
