package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.RawClient;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Malformed requests are rejected with a problem and do not use up their key. */
class BadInputTest extends MemoryServiceTest {

  @Test
  void malformedBodiesAreRejectedAndUseUpNoKey() {
    Node node = serve();
    List<String> wrong = new ArrayList<>();
    BadInput.all().forEach(input -> check(node, input, wrong));
    assertThat(wrong).isEmpty();
  }

  private static void check(Node node, BadInput input, List<String> wrong) {
    String key = Scene.newKey();
    Call call = node.post("/v1/payments").key(key);
    if (input.type().isEmpty()) {
      call.untyped(Buffer.buffer(input.body()));
    } else {
      call.body(input.type(), Buffer.buffer(input.body()));
    }
    Answer answer = call.send();
    boolean told =
        answer.status() == 415
            ? answer.problem().equals("unsupported-media-type")
            : answer.problem().equals("invalid-request")
                && !answer.json().getJsonArray("errors").isEmpty();
    Answer sound = node.pay().key(key).send();
    if (answer.status() != input.status() || !told || sound.status() != 201 || sound.isReplayed()) {
      wrong.add(input + ": " + answer + ", then " + sound.status() + " " + sound.problem());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/capture | {\"amount\":0}",
        "/capture | {\"amount\":1.5}",
        "/capture | {\"amount\":\"1\"}",
        "/capture | {\"amount\":null}",
        "/capture | {\"reason\":\"x\"}",
        "/capture | []",
        "/cancel  | {\"amount\":1}",
        "/cancel  | 1",
        "/refunds | {\"amount\":-1}",
        "/refunds | {\"amount\":1e2}",
        "/refunds | {\"reason\":1}",
        "/refunds | {\"reason\":\"\\u0000\"}",
        "/refunds | {",
      })
  void malformedBodiesOfOtherRoutesAreRejectedAndUseUpNoKey(String route, String body) {
    Node node = serve();
    String path = "/v1/payments/pay_1" + route;
    String key = Scene.newKey();

    Answer answer = node.post(path).key(key).json(body).send();

    JsonObject problem = answer.expectProblem(400, "invalid-request");
    assertThat(problem.getJsonArray("errors")).isNotEmpty();
    assertThat(node.store().keyCalls()).isZero();
    Answer sound = node.post(path).key(key).send();
    assertThat(sound.expect(404).isReplayed()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "a b",
        "a,b",
        "a;b",
        "a\\b",
        "\"",
        "\"a",
        "a\"",
        "\"a\"b",
        "\"a\" b",
        "\"\"",
        "\"a\\x\"",
        "\"a\\\"",
        "\u00e9",
        "\"\u00e9\"",
        "a\tb",
        "\"a\tb\"",
        "\"a\", \"b\"",
        "a\u007fb",
        "\"a\u007fb\"",
        "\u0001",
        "a\u000bb",
        "a\u001b[2Jb",
      })
  void malformedKeysAreRejected(String key) {
    Node node = serve();
    try (RawClient connection = new RawClient(node.port())) {
      connection.send(payment("Idempotency-Key: " + key, Call.VISA));

      Answer.from(connection).expectProblem(400, "idempotency-key-malformed");

      // The connection is as good as before.
      connection.send(payment("Idempotency-Key: " + Scene.newKey(), Call.VISA));
      Answer.from(connection).expect(201);
    }
    assertThat(scene().executions()).isEqualTo(1);
  }

  /** With these the head is not HTTP: nobody reads on. */
  @ParameterizedTest
  @ValueSource(strings = {"a\u0000", "\u0000", "a\rb", "\"a\rSet-Cookie: a=b\""})
  void keysThatHttpForbidsAreRejected(String key) {
    Node node = serve();
    try (RawClient connection = new RawClient(node.port())) {
      connection.send(payment("Idempotency-Key: " + key, Call.VISA));
      Answer answer = Answer.from(connection);
      answer.expectProblem(400, "idempotency-key-malformed");
      assertThat(answer.header("Connection")).hasValue("close");
      assertThat(answer.header("Idempotency-Key")).isEmpty();
      assertThat(answer.header("Set-Cookie")).isEmpty();
    }
    assertThat(node.store().keyCalls()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a,b", "\"a", "\"\"", "a\tb", "\u00e9"})
  void malformedKeysAreRejectedOverHttp2(String key) {
    Node node = serve();
    try (RawClient connection = new RawClient(node.port())) {
      connection.send(RawHttp2.post("/v1/payments", List.of("idempotency-key", key)));

      connection.readUntil("/problems/idempotency-key-malformed");
    }
    assertThat(node.store().keyCalls()).isZero();
  }

  /** Such a request is malformed (RFC 9113, section 8.2.1): a stream error, not a response. */
  @ParameterizedTest
  @ValueSource(strings = {"a\u007fb", "\u0001", "a\u000bb", "a\u0000", "a\rb", "a\nb: c"})
  void controlCharactersInAKeyResetTheHttp2Stream(String key) {
    Node node = serve();
    try (RawClient connection = new RawClient(node.port())) {
      connection.send(RawHttp2.post("/v1/payments", List.of("idempotency-key", key)));

      connection.readUntil(RawHttp2.PROTOCOL_ERROR_ON_FIRST_STREAM);
    }
    assertThat(node.store().keyCalls()).isZero();
  }

  /** What is let through to the grammar of keys is let through nowhere else. */
  @ParameterizedTest
  @ValueSource(strings = {"a\u007fb", "\u0001", "a\u000bb", "a\u0000", "a\rb"})
  void controlCharactersInOtherHeadersAreRejected(String value) {
    Node node = serve();
    for (String line : List.of("X-Idempotency-Key: ", "Idempotency-Keys: ", "Prefer: ")) {
      try (RawClient connection = new RawClient(node.port())) {
        connection.send(payment("Idempotency-Key: k\r\n" + line + value, Call.VISA));
        Answer answer = Answer.from(connection).expect(400);
        assertThat(answer.problem()).isEqualTo("invalid-request");
        assertThat(answer.header("Connection")).hasValue("close");
      }
    }
    assertThat(node.store().keyCalls()).isZero();
  }

  @Test
  void tooLongOrRepeatedKeysAreRejected() {
    Node node = serve();
    String key = Scene.newKey();
    for (String lines :
        List.of(
            "Idempotency-Key: " + "k".repeat(256),
            "Idempotency-Key: \"" + "k".repeat(256) + "\"",
            "Idempotency-Key: " + key + "\r\nIdempotency-Key: " + key,
            "Idempotency-Key: " + key + "\r\nidempotency-key: other",
            "Idempotency-Key: " + key + "\r\nIdempotency-Key:")) {
      try (RawClient connection = new RawClient(node.port())) {
        connection.send(payment(lines, Call.VISA));
        Answer.from(connection).expectProblem(400, "idempotency-key-malformed");
      }
    }
    assertThat(node.store().keyCalls()).isZero();
    assertThat(node.pay().key(key).send().expect(201).isReplayed()).isFalse();
  }

  /** A path that is no percent-encoded UTF-8 is a request that cannot be understood. */
  @ParameterizedTest
  @CsvSource({
    "GET, /v1/idempotency-keys/%zz",
    "GET, /v1/idempotency-keys/%4",
    "GET, /v1/idempotency-keys/a%",
    "GET, /v1/payments/%zz",
    "GET, /v1/customers/%zz",
    "POST, /v1/payments/%zz/cancel",
    "POST, /v1/payments/%4/refunds",
  })
  void pathsThatCannotBeDecodedAreRejected(String method, String path) {
    Node node = serve();
    try (RawClient connection = new RawClient(node.port())) {
      connection.send(
          method
              + " "
              + path
              + " HTTP/1.1\r\nHost: a\r\nIdempotency-Key: k\r\nContent-Length: 0\r\n\r\n");
      Answer.from(connection).expectProblem(400, "invalid-request");

      // The connection is as good as before.
      Answer.from(connection.send("GET /v1/balance HTTP/1.1\r\nHost: a\r\n\r\n")).expect(200);
    }
    assertThat(node.store().keyCalls()).isZero();
  }

  /** A call without a body needs no media type, so one that is there does not matter. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "multipart/form-data; boundary=\"",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencoded",
        "text/plain",
        "/;=",
      })
  void mediaTypeOfAMissingBodyIsIgnored(String type) {
    Node node = serve();
    String path = "/v1/payments/pay_1/cancel";

    node.post(path)
        .key(Scene.newKey())
        .body(type, Buffer.buffer())
        .send()
        .expectProblem(404, "not-found");
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/x-www-form-urlencoded", "multipart/form-data"})
  void mediaTypeOfAMissingBodyIsIgnoredOverHttp2(String type) {
    Node node = serve();
    List<String> headers = List.of("idempotency-key", "k", "content-type", type);
    try (RawClient connection = new RawClient(node.port())) {
      connection.send(RawHttp2.post("/v1/payments/pay_1/cancel", headers));

      connection.readUntil("/problems/not-found");
    }
  }

  @Test
  void chunkedFormIsRejected() {
    Node node = serve();
    try (RawClient connection = new RawClient(node.port())) {
      connection.send(
          head("Idempotency-Key: k").replace("application/json", "multipart/form-data; boundary=x")
              + "Transfer-Encoding: chunked\r\n\r\n3\r\na=1\r\n0\r\n\r\n");
      Answer.from(connection).expectProblem(415, "unsupported-media-type");
    }
    assertThat(node.store().keyCalls()).isZero();
  }

  @Test
  void bodyDeclaredTooLargeIsRejectedBeforeItArrives() {
    Node node = serve();
    String key = Scene.newKey();
    try (RawClient connection = new RawClient(node.port())) {
      connection.send(head("Idempotency-Key: " + key) + "Content-Length: 1073741824\r\n\r\n{");
      Answer.from(connection).expectProblem(413, "body-too-large");
    }
    assertThat(node.pay().key(key).send().expect(201).isReplayed()).isFalse();
  }

  @Test
  void bodyThatGrowsTooLargeIsRejected() {
    Node node = serve();
    String key = Scene.newKey();
    try (RawClient connection = new RawClient(node.port())) {
      connection.send(head("Idempotency-Key: " + key) + "Transfer-Encoding: chunked\r\n\r\n");
      String chunk = "10000\r\n" + " ".repeat(0x10000) + "\r\n";
      for (int i = 0; i < 18; i++) {
        connection.send(chunk);
      }
      Answer.from(connection).expectProblem(413, "body-too-large");
    }
    assertThat(node.pay().key(key).send().expect(201).isReplayed()).isFalse();
  }

  @Test
  void bodyOfExactlyTheLimitIsAccepted() {
    Node node = serve("--max-body", "200");
    String full = Call.VISA + " ".repeat(200 - Call.VISA.length());

    node.pay().key(Scene.newKey()).json(full).send().expect(201);
    node.pay().key(Scene.newKey()).json(full + " ").send().expectProblem(413, "body-too-large");
  }

  @Test
  void metadataIsReturnedByValue() {
    String metadata =
        "{\"n\":12345678901234567890.000000000001,\"e\":1e5,\"t\":\"\\u00e9\",\"b\":true}";
    Node node = serve();

    Answer answer =
        node.pay()
            .key(Scene.newKey())
            .json(Call.VISA.replace("}", ",\"metadata\":" + metadata + "}"))
            .send();

    assertThat(answer.expect(201).body().toString()).contains("12345678901234567890.000000000001");
    assertThat(answer.json().getJsonObject("metadata").getString("t")).isEqualTo("\u00e9");
  }

  private static String head(String keyLines) {
    return "POST /v1/payments HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        + keyLines
        + "\r\n";
  }

  private static String payment(String keyLines, String body) {
    return head(keyLines) + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }
}
