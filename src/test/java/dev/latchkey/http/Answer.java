package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.RawClient;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a client got, to the byte.
 *
 * @param status the HTTP status code
 * @param headers the lines, in order
 * @param body the bytes
 */
record Answer(int status, List<Map.Entry<String, String>> headers, Buffer body) {

  /** Headers that belong to the moment or the connection: a replay need not repeat them. */
  private static final Set<String> OF_THE_MOMENT =
      Set.of(
          "date", "connection", "transfer-encoding", "idempotent-replayed", "preference-applied");

  /** Reads one to anything but a HEAD. */
  static Answer from(RawClient client) {
    return from(client, false);
  }

  /** Reads a response. A response to HEAD has no body, regardless of its Content-Length. */
  static Answer from(RawClient client, boolean toHead) {
    String status = line(client);
    assertThat(status).startsWith("HTTP/1.");
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    for (String line = line(client); !line.isEmpty(); line = line(client)) {
      int colon = line.indexOf(':');
      headers.add(Map.entry(line.substring(0, colon), line.substring(colon + 1).strip()));
    }
    Answer head = new Answer(Integer.parseInt(status.split(" ")[1]), headers, Buffer.buffer());
    int length = toHead ? 0 : head.header("Content-Length").map(Integer::parseInt).orElse(0);
    return new Answer(head.status(), headers, Buffer.buffer(client.readBytes(length)));
  }

  private static String line(RawClient client) {
    return client.readUntil("\n").stripTrailing();
  }

  /** Finds a header; more than one line of it is an error of the test or of the service. */
  Optional<String> header(String name) {
    List<String> lines = all(name);
    assertThat(lines).as(name).hasSizeLessThan(2);
    return lines.stream().findFirst();
  }

  List<String> all(String name) {
    return headers.stream()
        .filter(line -> line.getKey().equalsIgnoreCase(name))
        .map(Map.Entry::getValue)
        .toList();
  }

  boolean isReplayed() {
    return header("Idempotent-Replayed").isPresent();
  }

  JsonObject json() {
    return body.toJsonObject();
  }

  String id() {
    return json().getString("id");
  }

  /** The problem's name, or "" where the answer is no problem document. */
  String problem() {
    boolean isProblem =
        header("Content-Type").filter(it -> it.equals("application/problem+json")).isPresent();
    return isProblem ? json().getString("type").replaceFirst("^/problems/", "") : "";
  }

  /** All that a replay has to repeat. */
  List<Object> lasting() {
    List<String> lines =
        headers.stream()
            .map(line -> line.getKey().toLowerCase(Locale.ROOT) + ": " + line.getValue())
            .filter(line -> !OF_THE_MOMENT.contains(line.substring(0, line.indexOf(':'))))
            .sorted()
            .toList();
    return List.of(status, lines, body);
  }

  /** Expects a problem and returns its document. */
  JsonObject expectProblem(int expectedStatus, String name) {
    assertThat(status + " " + problem()).as(toString()).isEqualTo(expectedStatus + " " + name);
    JsonObject document = json();
    assertThat(document.getInteger("status")).isEqualTo(expectedStatus);
    assertThat(document.getString("title")).isNotBlank();
    assertThat(document.getString("detail")).isNotBlank();
    assertThat(document.getString("instance")).startsWith("/");
    return document;
  }

  /** Expects a status and returns this. */
  Answer expect(int expectedStatus) {
    assertThat(status).as(toString()).isEqualTo(expectedStatus);
    return this;
  }

  @Override
  public String toString() {
    return status + " " + headers + " " + body;
  }
}
