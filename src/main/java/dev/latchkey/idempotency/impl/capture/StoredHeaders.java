package dev.latchkey.idempotency.impl.capture;

import dev.latchkey.idempotency.spi.StoredResponse.Header;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which headers of an answer are kept. The framing is kept only where it does not follow from the
 * body: a {@code Transfer-Encoding: chunked} says that the answer went without a Content-Length, a
 * {@code Content-Length} that it was another than the body's (to HEAD, with 304). Neither reaches
 * the wire as such; {@link Replay} frames the answer by them.
 */
public final class StoredHeaders {

  /**
   * Names, in lower case, of headers that are never stored: they belong to the moment, to the
   * connection or to the caller.
   */
  public static final Set<String> NOT_STORED =
      Set.of(
          "transfer-encoding",
          "content-length",
          "date",
          "connection",
          "keep-alive",
          "set-cookie",
          "authorization",
          "www-authenticate",
          "idempotent-replayed",
          "preference-applied",
          "traceparent",
          "tracestate",
          "traceresponse",
          "b3",
          "x-request-id",
          "x-correlation-id",
          "x-trace-id",
          "x-b3-traceid",
          "x-b3-spanid",
          "x-b3-parentspanid",
          "x-b3-sampled",
          "server-timing");

  static final String TRANSFER_ENCODING = "Transfer-Encoding";
  static final String CONTENT_LENGTH = "Content-Length";

  private StoredHeaders() {}

  static boolean isStored(String name) {
    return !NOT_STORED.contains(name.toLowerCase(Locale.ROOT));
  }

  static List<Header> of(
      List<Header> headers, HttpMethod method, int status, int bodyBytes, boolean headFirst) {
    List<Header> kept = new ArrayList<>(headers.size());
    boolean sized = false;
    boolean chunked = headFirst;
    boolean bodiless = method.equals(HttpMethod.HEAD) || status == 304;
    for (Header header : headers) {
      if (isStored(header.name())) {
        kept.add(header);
      } else if (header.name().equalsIgnoreCase(CONTENT_LENGTH)) {
        sized = true;
        if (bodiless || !header.value().equals(Integer.toString(bodyBytes))) {
          kept.add(header);
        }
      } else if (header.name().equalsIgnoreCase(TRANSFER_ENCODING)) {
        chunked = true;
      }
    }
    if (chunked && !sized && !bodiless) {
      kept.add(new Header(TRANSFER_ENCODING, "chunked"));
    }
    return kept;
  }
}
