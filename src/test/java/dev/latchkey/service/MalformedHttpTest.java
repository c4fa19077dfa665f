package dev.latchkey.service;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.service.http.ConnectionLimits;
import dev.latchkey.testing.RawClient;
import io.vertx.core.Promise;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/1.1 that is not quite that: refused in words, before anything runs. */
class MalformedHttpTest {

  private static final String ECHO = "POST /echo HTTP/1.1\r\nHost: a\r\n";
  private static final String CHUNKED = ECHO + "Transfer-Encoding: chunked\r\n\r\n";
  private static final String LAST = "GET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

  private final AtomicInteger ran = new AtomicInteger();
  private final Promise<RoutingContext> held = Promise.promise();
  private final TestService service = new TestService(ConnectionLimits.DEFAULT, this::api);

  private void api(Router router) {
    router
        .post("/echo")
        .handler(BodyHandler.create(false))
        .handler(
            ctx -> {
              ran.incrementAndGet();
              ctx.end("echo of " + ctx.body().asString());
            });
    router.get("/now").handler(ctx -> ctx.end("now"));
    router.get("/held").handler(held::tryComplete);
  }

  @AfterEach
  void close() {
    service.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ";a",
        ";a=\"b\"",
        ";a=b",
        ";a=1",
        ";a;b=c",
        ";abc=def",
        ";a=b;c=d",
        ";a=\"b\";c=d",
        ";a=b;c=\"d;e=f\"",
        ";a=\"\\\"=\";b=c",
      })
  void extensionsOfChunksAreIgnored(String extension) {
    String answers =
        raw(
            CHUNKED
                + ("6" + extension + "\r\n0;a=\r\n\r\n")
                + ("1A" + extension + "\r\n5;a=b\r\nabcdefghijklmnopqrs\r\n")
                + ("0" + extension + "\r\nX-Trailer: a=b\r\n\r\n")
                + LAST);
    assertThat(answers)
        .contains("echo of 0;a=\r\n5;a=b\r\nabcdefghijklmnopqrsHTTP")
        .endsWith("now");
  }

  @Test
  void extensionsOfChunksAreIgnoredHoweverTheBytesArrive() {
    try (RawClient client = service.connect()) {
      for (char c :
          (CHUNKED + "3;a=b\r\n;=\n\r\n2;c=d\r\n=;\r\n0;e=f\r\n\r\n" + LAST).toCharArray()) {
        client.send(String.valueOf(c));
      }
      assertThat(client.readToEnd()).contains("echo of ;=\n=;").endsWith("now");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "zz\r\n{}\r\n0\r\n\r\n",
        "\r\n{}\r\n0\r\n\r\n",
        "-2\r\n{}\r\n0\r\n\r\n",
        "0x2\r\n{}\r\n0\r\n\r\n",
        "2\n{}\r\n0\r\n\r\n",
        "2\r\n{}0\r\n\r\n",
        "2\r\n{}\n0\r\n\r\n",
        "2\r\n{}\r\nzz\r\n\r\n",
        "2\r\n{}\r\n0\r\nno trailer\r\n\r\n",
        "2;a=\r\n{}\r\n0\r\n\r\n",
        "2;a=b=c\r\n{}\r\n0\r\n\r\n",
        "2;a=b ;c\r\n{}\r\n0\r\n\r\n",
        "2;a=\"\u00e9\"\r\n{}\r\n0\r\n\r\n",
        "2;a=b,c\r\n{}\r\n0\r\n\r\n",
        "2;a=\"b\r\n{}\r\n0\r\n\r\n",
        "2;a=b\n{}\r\n0\r\n\r\n",
        "ffffffffff\r\n{}\r\n0\r\n\r\n",
        // 2 for a parser that counts in 32 bits (CVE-2026-42580)
        "100000002\r\n{}\r\n0\r\n\r\n",
      })
  void malformedChunksAreRefused(String body) {
    assertRefused(raw(CHUNKED + body + LAST), 400);
  }

  @Test
  void malformedChunkGetsItsResponseInTurn() {
    try (RawClient client = service.connect()) {
      client.send("GET /held HTTP/1.1\r\nHost: a\r\n\r\n" + CHUNKED + "2\r\n{}\r\nzz\r\n");
      await(held.future()).end("at last");
      String answers = client.readToEnd();
      assertThat(answers).startsWith("HTTP/1.1 200").contains("at lastHTTP/1.1 400 ");
      assertThat(answers.split("HTTP/1.1 ")).hasSize(3);
      assertThat(ran).hasValue(0);
    }
  }

  @Test
  void responseToAMalformedChunkHasTheStateOfTheKey() {
    String head =
        "POST /v1/payments HTTP/1.1\r\nHost: a\r\nIdempotency-Key: a/b\r\nAuthorization: Bearer "
            + WholeService.ACME
            + "\r\nContent-Type: application/json\r\n";
    String whole = head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n";
    String cut = head + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n";
    try (WholeService payments = new WholeService();
        RawClient client = new RawClient(payments.server.port())) {
      String answers = client.send(whole + cut).readToEnd();
      String refusal = answers.substring(answers.lastIndexOf("HTTP/1.1 400 "));
      assertThat(answers.split("HTTP/1.1 400 ")).as("answers").hasSize(3);
      assertThat(refusal)
          .containsIgnoringCase("idempotency-key: \"a/b\"")
          .containsIgnoringCase("connection: close")
          .contains("malformed", "\"instance\":\"/v1/payments\"", "\"errors\":[{\"pointer\":\"\"")
          .contains("\"idempotency_key\":\"a/b\"", "\"state\":\"unknown\"")
          .contains("\"retryable\":false", "\"status_url\":\"/v1/idempotency-keys/a%2Fb\"");
    }
  }

  @Test
  void requestThatHasItsResponseGetsNoSecondOneForAMalformedChunk() {
    String answers = raw(CHUNKED.replace("/echo", "/missing") + "zz\r\n" + LAST);
    assertThat(answers).startsWith("HTTP/1.1 404").doesNotContain(" 400 ", "now");
    assertThat(answers.split("HTTP/1.1 ")).hasSize(2);
  }

  @Test
  void getWithAMalformedBodyGetsItsOwnResponseAndNothingElse() {
    try (RawClient client = service.connect()) {
      client.send(
          "GET /held HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\nzz\r\n"
              + LAST);
      await(held.future()).end("at last");
      assertThat(client.readToEnd())
          .startsWith("HTTP/1.1 200")
          .containsIgnoringCase("connection: close")
          .endsWith("at last");
    }
  }

  @Test
  void responseToAHeadRequestHasNoBody() {
    String answer =
        raw("HEAD /now HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
    assertThat(answer).startsWith("HTTP/1.1 ").endsWith("\r\n\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host: a\r\nHost: a\r\n",
        "Host: a\r\nhost: b\r\n",
        "X-Host: a\r\n",
        "",
        "Host: a\r\n: b\r\n",
        "Host: a\r\n:\r\n",
        "Host: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n",
        "Host: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n",
        "Host: a\r\nTransfer-Encoding: identity\r\nContent-Length: 2\r\n",
        "Host: a\r\nTransfer-Encoding: gzip, chunked\r\n",
        "Host: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        "Host: a\r\nTransfer-Encoding: chunked\r\n , identity\r\n",
        "Host: a\r\nTransfer-Encoding:\r\n",
      })
  void ambiguousHeadsAreRejected(String lines) {
    String head = "POST /echo HTTP/1.1\r\n" + lines + "\r\n";
    assertRefused(raw(head + "2\r\n{}\r\n0\r\n\r\n" + LAST), 400);
  }

  @Test
  void http10NeedsNoHostAndKnowsNoChunks() {
    assertThat(raw("GET /now HTTP/1.0\r\n\r\n")).contains(" 200 ").endsWith("now");
    assertRefused(raw("GET /now HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n"), 400);
    assertRefused(
        raw("POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"), 400);
  }

  @Test
  void headsOfOneConnectionAreIndependent() {
    String whole = CHUNKED + "2\r\n{}\r\n0\r\n\r\n" + ECHO + "Content-Length: 2\r\n\r\n[]";
    assertThat(raw(whole + whole + LAST)).endsWith("now");
    assertThat(ran).hasValue(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/2.0", "HTTP/1.2", "HTTP/3.0", "HTTP/0.9"})
  void otherVersionsAreRefused(String version) {
    assertRefused(raw("GET /now " + version + "\r\nHost: a\r\n\r\n" + LAST), 505);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http/1.1", "FOO/1.1", "HTTP", ""})
  void malformedVersionsAreRejected(String version) {
    assertRefused(raw("GET /now " + version + "\r\nHost: a\r\n\r\n" + LAST), 400);
  }

  private void assertRefused(String answers, int status) {
    assertThat(answers)
        .startsWith("HTTP/1.")
        .contains(" " + status + " ", "/problems/invalid-request", "\"status\":" + status)
        .contains("\"title\":\"The request is not valid\"", "\"instance\":\"/")
        .contains("\"errors\":[{\"pointer\":\"\",\"detail\":\"")
        .containsIgnoringCase("content-type: application/problem+json")
        .containsIgnoringCase("connection: close");
    assertThat(answers.split("HTTP/1\\.[01] ")).as("answers").hasSize(2);
    assertThat(ran).hasValue(0);
  }

  private String raw(String text) {
    try (RawClient client = service.connect()) {
      return client.send(text).readToEnd();
    }
  }
}
