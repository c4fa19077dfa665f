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

/** A response as the client got it: header lines in order, lower-case names, without the date. */
record ClientResponse(
    int status, String message, List<String> headers, String body, List<String> trailers) {

  /** Headers that a replay does not repeat. */
  private static final Set<String> OF_THE_MOMENT = Set.of("set-cookie", "connection");

  static Future<ClientResponse> get(HttpClient client, int port, HttpMethod method, String uri) {
    // Nested, so the body is requested before its first byte can arrive.
    return client
        .request(method, port, "127.0.0.1", uri)
        .compose(
            request ->
                request
                    .putHeader("Origin", "http://shop.example")
                    .send()
                    .compose(ClientResponse::of));
  }

  static Future<ClientResponse> of(HttpClientResponse response) {
    return response
        .body()
        .map(
            body ->
                new ClientResponse(
                    response.statusCode(),
                    response.statusMessage(),
                    lines(response.headers()),
                    body.toString("ISO-8859-1"),
                    lines(response.trailers())));
  }

  /** The part that a replay repeats; the order of different headers does not matter. */
  ClientResponse repeatable() {
    List<String> kept = new ArrayList<>(headers);
    kept.removeIf(line -> OF_THE_MOMENT.contains(line.substring(0, line.indexOf(':'))));
    kept.sort(null);
    return new ClientResponse(status, message, kept, body, trailers);
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
