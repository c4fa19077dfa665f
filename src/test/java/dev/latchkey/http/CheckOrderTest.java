package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.RawClient;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The order of the checks: a request with several faults gets the problem of the first. */
class CheckOrderTest extends MemoryServiceTest {

  private static final int MAX_BODY = 512;

  /** What can be wrong with a request, in the order in which it is looked for. */
  private enum Fault {
    UNAUTHORIZED(401, "unauthorized"),
    KEY_MALFORMED(400, "idempotency-key-malformed"),
    TOO_LARGE(413, "body-too-large"),
    MEDIA_TYPE(415, "unsupported-media-type"),
    SYNTAX(400, "invalid-request"),
    SCHEMA(400, "invalid-request");

    private final int status;
    private final String problem;

    Fault(int status, String problem) {
      this.status = status;
      this.problem = problem;
    }
  }

  /** A request with this fault and all that come after it. */
  @ParameterizedTest
  @EnumSource
  void firstFaultIsReported(Fault first) {
    Node node = node();
    String key = Scene.newKey();

    Answer answer = faulty(node, key, first, Fault.SCHEMA).send();

    answer.expectProblem(first.status, first.problem);
    assertThat(node.store().keyCalls()).isZero();
    assertFresh(node, key);
  }

  /** A request with this fault alone. */
  @ParameterizedTest
  @EnumSource
  void singleFaultIsReported(Fault only) {
    Node node = node();
    String key = Scene.newKey();

    Answer answer = faulty(node, key, only, only).send();

    answer.expectProblem(only.status, only.problem);
    if (only != Fault.KEY_MALFORMED) {
      assertThat(answer.header("Idempotency-Key")).as("echo").hasValue('"' + key + '"');
      assertThat(answer.json().getString("idempotency_key")).isEqualTo(key);
      assertThat(answer.json().getString("state")).isEqualTo("unknown");
    }
    if (only == Fault.SCHEMA) {
      assertThat(answer.body().toString()).contains("\"pointer\":\"/amount\"");
    }
    assertThat(node.store().keyCalls()).isZero();
    assertFresh(node, key);
  }

  @Test
  void missingKeyIsReportedBeforeTheBody() {
    Answer answer =
        node()
            .post("/v1/payments")
            .header("Authorization", Tenants.ACME)
            .body("text/plain", Buffer.buffer("x".repeat(MAX_BODY + 1)))
            .send();

    answer.expectProblem(400, "idempotency-key-missing");
  }

  /** Also where the key is such that HTTP/1.1 would not let it through in any other header. */
  @Test
  void authenticationPrecedesAControlCharacterInTheKey() {
    try (RawClient connection = new RawClient(node().port())) {
      for (String authorization : List.of("Bearer wrong", Tenants.ACME)) {
        connection.send(
            "POST /v1/payments HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nAuthorization: "
                + authorization
                + "\r\nIdempotency-Key: a\u007fb\r\n\r\n");
      }

      Answer.from(connection).expectProblem(401, "unauthorized");
      Answer.from(connection).expectProblem(400, "idempotency-key-malformed");
    }
  }

  private Node node() {
    return serve("--max-body", "" + MAX_BODY, Tenants.OPTIONS[0], Tenants.OPTIONS[1]);
  }

  private static Call faulty(Node node, String key, Fault first, Fault last) {
    Call call = node.post("/v1/payments");
    call.header(
        "Authorization", has(first, last, Fault.UNAUTHORIZED) ? "Bearer wrong" : Tenants.ACME);
    call.key(has(first, last, Fault.KEY_MALFORMED) ? "two keys" : key);
    String body = has(first, last, Fault.SCHEMA) ? Call.VISA.replace("1000", "0") : Call.VISA;
    body = has(first, last, Fault.SYNTAX) ? body.replace("}", ",") : body;
    body = has(first, last, Fault.TOO_LARGE) ? body + " ".repeat(MAX_BODY) : body;
    String type = has(first, last, Fault.MEDIA_TYPE) ? "text/plain" : "application/json";
    return call.body(type, Buffer.buffer(body));
  }

  private static boolean has(Fault first, Fault last, Fault asked) {
    return first.compareTo(asked) <= 0 && asked.compareTo(last) <= 0;
  }

  /** The key was not spent: its first use is yet to come. */
  private static void assertFresh(Node node, String key) {
    Answer sound = node.pay().key(key).header("Authorization", Tenants.ACME).send();
    assertThat(sound.expect(201).isReplayed()).isFalse();
  }
}
