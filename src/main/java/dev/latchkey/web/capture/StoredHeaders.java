package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Selects the headers of a response to store. Framing is stored only if it does not follow from the
 * body: {@code Transfer-Encoding: chunked} for a response sent without a length, {@code
 * Content-Length} for one that differs from the body's (HEAD, 304). The rest of a head that a
 * replay repeats is stored as notes, header lines that are never sent: {@link #REASON} is the
 * reason phrase of the handler, {@link #REMOVED} the name of a header that the handler removed.
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
          "latchkey-reason",
          "latchkey-removed",
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
  static final String REASON = "Latchkey-Reason";
  static final String REMOVED = "Latchkey-Removed";
  static final String CONTENT_LENGTH = "Content-Length";

  private StoredHeaders() {}

  static boolean isStored(String name) {
    return !NOT_STORED.contains(name.toLowerCase(Locale.ROOT));
  }

  /** Returns the notes of a head. A removed header that is never stored is not noted. */
  static List<Header> notes(Set<String> removed, Optional<String> reason) {
    List<Header> notes = new ArrayList<>(0);
    removed.stream()
        .filter(StoredHeaders::isStored)
        .sorted()
        .forEach(it -> notes.add(new Header(REMOVED, it)));
    reason.ifPresent(it -> notes.add(new Header(REASON, it)));
    return notes;
  }

  /** Returns whether a stored line is a note, or the framing of the body. */
  static boolean isNote(Header line) {
    String name = line.name();
    return name.equalsIgnoreCase(TRANSFER_ENCODING)
        || name.equalsIgnoreCase(REMOVED)
        || name.equalsIgnoreCase(REASON);
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
