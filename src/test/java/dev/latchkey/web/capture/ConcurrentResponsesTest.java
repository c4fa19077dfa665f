package dev.latchkey.web.capture;

import static dev.latchkey.testing.Await.await;
import static dev.latchkey.web.capture.RecordingListener.NO_EXTRA;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Concurrent responses: on one connection, and of one stored body. */
class ConcurrentResponsesTest {

  private CaptureServer server;

  @BeforeEach
  void start() {
    server = new CaptureServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static CapturingResponse capturing(RoutingContext ctx) {
    return CapturingResponse.of(ctx).orElseThrow();
  }

  @Test
  void pipelinedResponsesKeepTheirOrder() throws Exception {
    int port =
        server.capturedBy(
            ctx -> {
              CapturingResponse capturing = capturing(ctx);
              boolean slow = ctx.request().path().equals("/slow");
              capturing.begin(
                  1000,
                  RecordingListener.captured(
                      it ->
                          ctx.vertx()
                              .timer(slow ? 50 : 1, MILLISECONDS)
                              .onSuccess(v -> capturing.deliver(it, NO_EXTRA))));
              ctx.response().end("[" + ctx.request().path() + "]");
            });
    NetClient client = server.vertx.createNetClient();
    NetSocket socket = await(client.connect(port, "127.0.0.1"));
    Buffer seen = Buffer.buffer();
    CompletableFuture<Void> closed = new CompletableFuture<>();
    socket.handler(seen::appendBuffer).closeHandler(v -> closed.complete(null));
    String requests = "";
    for (String path : List.of("/slow", "/a", "/slow", "/b")) {
      requests += "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }
    socket.write(requests + "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    closed.get(20, SECONDS);
    assertThat(seen.toString().replaceAll("(?s)[^\\[\\]]*(\\[[^\\]]*\\])", "$1"))
        .isEqualTo("[/slow][/a][/slow][/b][/last]");
    client.close();
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void manyReplaysShareOneBody(HttpVersion version) throws Exception {
    Buffer body = Buffer.buffer(new byte[100_000]);
    StoredResponse stored =
        StoredResponse.of(201, List.of(new Header("Content-Type", "a/b")), body);
    List<Header> extra = List.of(new Header("Idempotent-Replayed", "true"));
    int port = server.capturedBy(ctx -> capturing(ctx).replay(stored, extra));
    List<Future<ClientResponse>> responses = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      responses.add(ClientResponse.get(server.client(version), port, HttpMethod.POST, "/x"));
    }
    await(Future.all(responses));
    for (Future<ClientResponse> wire : responses) {
      assertThat(wire.result().body()).hasSize(100_000);
      assertThat(wire.result().headers())
          .containsExactlyInAnyOrder(
              "content-type: a/b", "idempotent-replayed: true", "content-length: 100000");
    }
    assertThat(body.length()).isEqualTo(100_000);
  }
}
