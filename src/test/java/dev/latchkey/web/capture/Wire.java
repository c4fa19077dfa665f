package dev.latchkey.web.capture;

import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** An answer as a client saw it: header lines in order, names in lower case, less the date. */
record Wire(int status, String message, List<String> headers, String body, List<String> trailers) {

  /** What a replay cannot or must not repeat. */
  private static final Set<String> OF_THE_MOMENT = Set.of("set-cookie", "connection");

  static Future<Wire> get(HttpClient client, int port, HttpMethod method, String uri) {
    // Nested, so that the body is asked for before its first byte can have come.
    return client
        .request(method, port, "127.0.0.1", uri)
        .compose(
            request -> request.putHeader("Origin", "http://shop.example").send().compose(Wire::of));
  }

  static Future<Wire> of(HttpClientResponse response) {
    return response
        .body()
        .map(
            body ->
                new Wire(
                    response.statusCode(),
                    response.statusMessage(),
                    lines(response.headers()),
                    body.toString("ISO-8859-1"),
                    lines(response.trailers())));
  }

  /** The same as far as a replay has to be: the order of different headers does not count. */
  Wire repeatable() {
    List<String> kept = new ArrayList<>(headers);
    kept.removeIf(line -> OF_THE_MOMENT.contains(line.substring(0, line.indexOf(':'))));
    kept.sort(null);
    return new Wire(status, "", kept, body, trailers);
  }

  List<String> values(String name) {
    return headers.stream()
        .filter(line -> line.startsWith(name + ": "))
        .map(line -> line.substring(name.length() + 2))
        .toList();
  }

  private static List<String> lines(MultiMap map) {
    List<String> lines = new ArrayList<>();
    map.forEach(
        (name, value) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (!lower.equals("date")) {
            lines.add(lower + ": " + value);
          }
        });
    return lines;
  }
}
