package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Selects the headers of a response to store. Framing is stored only if it does not follow from the
 * body: {@code Transfer-Encoding: chunked} for a response sent without a length, {@code
 * Content-Length} for one that differs from the body's (HEAD, 304). {@link ResponseSender} frames
 * the response accordingly.
 */
public final class StoredHeaders {

  /**
   * Lower-case names of headers that are never stored, because they belong to the moment, the
   * connection or the caller.
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
