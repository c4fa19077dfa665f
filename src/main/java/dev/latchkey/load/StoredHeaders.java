package dev.latchkey.load;

import io.vertx.core.MultiMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The response headers that a replay repeats: all but those of the moment, of the connection, of
 * tracing and of proxies. {@code Content-Length} is excluded because the same bytes may be chunked.
 */
final class StoredHeaders {

  private static final Set<String> EXCLUDED =
      Set.of(
          ("date connection transfer-encoding content-length idempotent-replayed preference-applied"
                  + " set-cookie authorization www-authenticate"
                  // tracing
                  + " traceparent tracestate traceresponse baggage b3 request-id x-request-id"
                  + " x-correlation-id x-trace-id x-b3-traceid x-b3-spanid x-b3-parentspanid"
                  + " x-b3-sampled x-cloud-trace-context x-amzn-trace-id server-timing"
                  // proxies
                  + " server via age keep-alive alt-svc cf-ray x-cache x-served-by"
                  + " x-envoy-upstream-service-time")
              .split(" ", -1));

  private StoredHeaders() {}

  /**
   * Returns the stored headers as one text, independent of the order and case of their names. The
   * order of the values of one name counts.
   */
  static String of(MultiMap headers) {
    Map<String, List<String>> sorted = new TreeMap<>();
    for (Map.Entry<String, String> header : headers) {
      String name = header.getKey().toLowerCase(Locale.ROOT);
      if (!EXCLUDED.contains(name)) {
        sorted.computeIfAbsent(name, n -> new ArrayList<>(1)).add(header.getValue());
      }
    }
    StringBuilder text = new StringBuilder();
    sorted.forEach(
        (name, values) ->
            values.forEach(v -> text.append(name).append(':').append(v).append('\n')));
    return text.toString();
  }
}
