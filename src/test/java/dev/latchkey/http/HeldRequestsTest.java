package dev.latchkey.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Await;
import dev.latchkey.testing.RawClient;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes that requests without a response hold are limited, per node and per tenant. */
class HeldRequestsTest extends MemoryServiceTest {

  private static final String KEYS = "acme:secret-of-acme-1234,other:secret-of-other-123";

  private static String head(String secret, String key, String framing) {
    return "POST /v1/payments HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        + "Authorization: Bearer "
        + secret
        + "\r\nIdempotency-Key: "
        + key
        + "\r\n"
        + framing
        + "\r\n\r\n";
  }

  private static long held(Node node) {
    return node.metric("latchkey_held_bytes");
  }

  @Test
  void halfSentUploadsOfOneTenantLeaveRoomForOthers() {
    Node node = serve("--api-keys", KEYS, "--max-held", "1MiB", "--max-body", "200KiB");
    List<RawClient> uploads = new ArrayList<>();
    try {
      for (int i = 0; i < 2; i++) {
        RawClient upload = new RawClient(node.port());
        upload.send(head("secret-of-acme-1234", "k" + i, "Content-Length: 200000") + "{");
        uploads.add(upload);
      }
      Await.until("two uploads are held", () -> held(node) > 400_000);
      try (RawClient third = new RawClient(node.port())) {
        third.send(head("secret-of-acme-1234", "k3", "Content-Length: 200000") + "{");
        Answer refused = Answer.from(third);
        refused.expectProblem(503, "overloaded");
        assertThat(refused.header("Retry-After")).isPresent();
      }
      try (RawClient other = new RawClient(node.port())) {
        String body = Call.VISA;
        other.send(head("secret-of-other-123", "k", "Content-Length: " + body.length()) + body);
        Answer.from(other).expect(201);
      }
    } finally {
      uploads.forEach(RawClient::close);
    }
    Await.until("nothing is held", () -> held(node) == 0);
  }

  @Test
  void bodyOfUnknownLengthIsCountedAsItArrives() {
    Node node = serve("--max-held", "100KiB");
    try (RawClient upload = new RawClient(node.port())) {
      upload.send(head("x", "k", "Transfer-Encoding: chunked"));
      String chunk = "10000\r\n" + " ".repeat(0x10000) + "\r\n";
      upload.send(chunk);
      upload.send(chunk);
      Answer.from(upload).expectProblem(503, "overloaded");
    }
    Await.until("nothing is held", () -> held(node) == 0);
    assertThat(node.store().keyCalls()).isZero();
  }

  @Test
  void parkedDuplicatesHoldNoBody() {
    Node node = serve("--max-held", "1MiB");
    String key = Scene.newKey();
    String body = Call.VISA.replace("pm_card_visa", "pm_slow_10000") + " ".repeat(400_000);
    List<Call.Sent> answers = new ArrayList<>();
    answers.add(node.pay().key(key).json(body).begin());
    Await.until("the first is running", () -> node.metric("latchkey_running") == 1);
    for (int i = 1; i <= 4; i++) {
      int parked = i;
      answers.add(node.pay().key(key).json(body).begin());
      Await.until("another is parked", () -> node.metric("latchkey_parked") == parked);
    }
    assertThat(held(node)).isLessThan(500_000);
    answers.forEach(answer -> answer.answer().expect(201));
  }
}
