package dev.latchkey.net;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.net.BoundedExchange.Outcome;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedHttpClientTest {
  private static final int MAX_BYTES = 100;
  private static final long LONG_MILLIS = 30_000;

  private final Vertx vertx = TestVertx.create();
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger requests = new AtomicInteger();
  private final BoundedHttpClient client =
      new BoundedHttpClient(vertx, new HttpClientOptions(), new PoolOptions(), MAX_BYTES);

  @AfterEach
  void stop() {
    await(vertx.close());
  }

  /** Starts a server that handles each request with the raw socket. */
  private int serve(Consumer<NetSocket> handler) {
    NetServer server =
        await(
            vertx
                .createNetServer()
                .connectHandler(
                    socket -> {
                      connections.incrementAndGet();
                      socket.handler(part -> handler.accept(socket));
                    })
                .listen(0, "127.0.0.1"));
    return server.actualPort();
  }

  private static String response(String body) {
    return "HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s".formatted(body.length(), body);
  }

  private BoundedExchange send(int port, long timeoutMillis) {
    RequestOptions request =
        new RequestOptions().setMethod(HttpMethod.POST).setHost("127.0.0.1").setPort(port);
    return client.send(request, Buffer.buffer("x"), timeoutMillis);
  }

  private String body(int port) {
    Outcome outcome = await(send(port, LONG_MILLIS).outcome());
    assertThat(outcome).isInstanceOf(Outcome.Response.class);
    return ((Outcome.Response) outcome).body().toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"100 Continue", "102 Processing", "103 Early Hints", "199 Other"})
  void interimResponseIsNotTheResponse(String status) {
    String interim = "HTTP/1.1 " + status + "\r\nx: y\r\n\r\n";
    int port =
        serve(s -> s.write(interim.repeat(2) + response("body" + requests.incrementAndGet())));

    assertThat(body(port)).isEqualTo("body1");
    assertThat(body(port)).isEqualTo("body2");
    assertThat(connections).hasValue(1);
  }

  @Test
  void responseUpToTheBoundIsComplete() {
    int port = serve(s -> s.write(response("b".repeat(MAX_BYTES))));
    assertThat(body(port)).hasSize(MAX_BYTES);
  }

  @Test
  void longerResponseIsLost() {
    int port = serve(s -> s.write(response("b".repeat(MAX_BYTES + 1))));
    assertLost(send(port, LONG_MILLIS), "exceeds 100 bytes");
  }

  @Test
  void brokenConnectionIsLost() {
    int port = serve(s -> s.write("HTTP/1.1 200 OK\r\n").onComplete(written -> s.close()));
    assertLost(send(port, LONG_MILLIS), "connection broken");
  }

  @Test
  void silentServerIsLostAfterTheTimeLimit() {
    // Connecting may take longer than the time limit, so the connection is opened first.
    int port = serve(s -> s.write(requests.incrementAndGet() == 1 ? response("warm") : ""));
    assertThat(body(port)).isEqualTo("warm");
    assertLost(send(port, 50), "no response in 50 ms");
  }

  @Test
  void refusedConnectionIsNotSent() throws IOException {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      port = closed.getLocalPort();
    }
    assertThat(await(send(port, LONG_MILLIS).outcome())).isInstanceOf(Outcome.NotSent.class);
  }

  @Test
  void abortedExchangeIsLostWithItsReason() {
    BoundedExchange exchange = send(serve(s -> {}), LONG_MILLIS);
    exchange.written().onSuccess(written -> exchange.abort("hung up"));
    assertLost(exchange, "hung up");
  }

  private static void assertLost(BoundedExchange exchange, String reason) {
    assertThat(await(exchange.outcome()))
        .isInstanceOfSatisfying(
            Outcome.Lost.class, lost -> assertThat(lost.reason()).contains(reason));
  }
}
