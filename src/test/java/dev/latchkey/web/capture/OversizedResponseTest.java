package dev.latchkey.web.capture;

import static dev.latchkey.testing.Await.await;
import static dev.latchkey.web.capture.RecordingListener.NO_EXTRA;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Responses above the limit of what is captured. */
class OversizedResponseTest {

  private static final int CHUNK = 64 << 10;
  private static final int CHUNKS = 320;
  private static final int MAX = 256 << 10;

  @TempDir Path directory;
  private CaptureServer server;

  @BeforeEach
  void start() {
    server = new CaptureServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Writes 20 MiB, pausing while the write queue is full. */
  private static void produce(HttpServerResponse response, AtomicLong written) {
    while (written.get() < (long) CHUNK * CHUNKS) {
      response.write(Buffer.buffer(new byte[CHUNK]));
      written.addAndGet(CHUNK);
      if (response.writeQueueFull()) {
        response.drainHandler(v -> produce(response, written));
        return;
      }
    }
    response.drainHandler(null);
    response.end();
  }

  /** A client that reads its response only once it is resumed. */
  private static final class SlowReader {
    final AtomicLong received = new AtomicLong();
    final CompletableFuture<HttpClientResponse> paused = new CompletableFuture<>();
    final CompletableFuture<Void> ended = new CompletableFuture<>();

    SlowReader(HttpClient client, int port) {
      client
          .request(HttpMethod.POST, port, "127.0.0.1", "/x")
          .onSuccess(request -> request.send().onSuccess(this::read));
    }

    private void read(HttpClientResponse response) {
      response.pause();
      response.handler(bytes -> received.addAndGet(bytes.length()));
      response.endHandler(v -> ended.complete(null));
      paused.complete(response);
    }
  }

  private int serve(int maxBytes, RecordingListener listener, Consumer<RoutingContext> handler)
      throws Exception {
    return server.capturedBy(
        ctx -> {
          CapturingResponse.of(ctx).orElseThrow().begin(maxBytes, listener);
          handler.accept(ctx);
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void oversizedResponseIsStreamedWithBackPressure(HttpVersion version) throws Exception {
    AtomicLong written = new AtomicLong();
    CompletableFuture<OversizedResponse> oversized = new CompletableFuture<>();
    CompletableFuture<Context> context = new CompletableFuture<>();
    // One task later, when the producer has seen the full queue.
    RecordingListener listener =
        RecordingListener.oversized(go -> context.join().runOnContext(v -> oversized.complete(go)));
    int port =
        serve(
            MAX,
            listener,
            ctx -> {
              context.complete(Vertx.currentContext());
              ctx.response().setStatusCode(201).putHeader("Location", "/p/1").setChunked(true);
              produce(ctx.response(), written);
            });
    SlowReader reader = new SlowReader(server.client(version), port);
    OversizedResponse go = oversized.get(20, SECONDS);
    assertThat(listener.reports).containsExactly("oversized 201 /p/1");
    // The producer pauses until the decision.
    assertThat(written.get()).isEqualTo(MAX + CHUNK);
    context.join().runOnContext(v -> go.stream(NO_EXTRA));
    reader.paused.get(20, SECONDS).resume();
    reader.ended.get(20, SECONDS);
    assertThat(reader.received.get()).isEqualTo((long) CHUNK * CHUNKS);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void slowReaderPausesTheProducer(HttpVersion version) throws Exception {
    AtomicLong written = new AtomicLong();
    CompletableFuture<HttpServerResponse> full = new CompletableFuture<>();
    RecordingListener listener = RecordingListener.oversized(go -> go.stream(NO_EXTRA));
    int port =
        serve(
            MAX,
            listener,
            ctx -> {
              HttpServerResponse response = ctx.response().setChunked(true);
              ctx.vertx()
                  .setPeriodic(
                      1,
                      id -> {
                        if (written.get() > MAX + 2 * CHUNK && response.writeQueueFull()) {
                          ctx.vertx().cancelTimer(id);
                          full.complete(response);
                        } else {
                          response.write(Buffer.buffer(new byte[CHUNK]));
                          written.addAndGet(CHUNK);
                        }
                      });
            });
    SlowReader reader = new SlowReader(server.client(version), port);
    HttpClientResponse paused = reader.paused.get(20, SECONDS);
    HttpServerResponse response = full.get(20, SECONDS);
    CompletableFuture<Void> drained = new CompletableFuture<>();
    response.drainHandler(v -> drained.complete(null));
    paused.resume();
    drained.get(20, SECONDS);
    response.end();
    reader.ended.get(20, SECONDS);
    assertThat(reader.received.get()).isEqualTo(written.get());
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void singleLargeWriteKeepsItsLength(HttpVersion version) throws Exception {
    int port =
        serve(
            10,
            RecordingListener.oversized(go -> go.stream(NO_EXTRA)),
            ctx -> ctx.response().end("eleven bytes"));
    ClientResponse response =
        await(ClientResponse.get(server.client(version), port, HttpMethod.POST, "/x"));
    assertThat(response.body()).isEqualTo("eleven bytes");
    assertThat(response.headers()).containsExactly("content-length: 12");
  }

  @Test
  void responseOfExactlyTheLimitIsCaptured() throws Exception {
    CapturingResponse[] capturing = new CapturingResponse[1];
    RecordingListener listener =
        RecordingListener.captured(it -> capturing[0].deliver(it, NO_EXTRA));
    int port =
        serve(
            4,
            listener,
            ctx -> {
              capturing[0] = CapturingResponse.of(ctx).orElseThrow();
              ctx.response().end("four");
            });
    assertThat(await(ClientResponse.get(server.http1, port, HttpMethod.POST, "/x")).body())
        .isEqualTo("four");
    assertThat(listener.reports).containsExactly("captured 200 four");
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void handlerOfADroppedResponseRunsToItsEnd(HttpVersion version) throws Exception {
    AtomicLong written = new AtomicLong();
    CapturingResponse[] capturing = new CapturingResponse[1];
    CompletableFuture<Boolean> ended = new CompletableFuture<>();
    RecordingListener listener =
        RecordingListener.oversized(
            go -> {
              go.drop();
              capturing[0].real().setStatusCode(409).end("not retained");
            });
    int port =
        serve(
            MAX,
            listener,
            ctx -> {
              capturing[0] = CapturingResponse.of(ctx).orElseThrow();
              produce(ctx.response().putHeader("X-Dropped", "1").setChunked(true), written);
              ended.complete(ctx.response().ended());
            });
    ClientResponse response =
        await(ClientResponse.get(server.client(version), port, HttpMethod.POST, "/x"));
    assertThat(response.status()).isEqualTo(409);
    assertThat(response.body()).isEqualTo("not retained");
    assertThat(response.values("x-dropped")).isEmpty();
    assertThat(ended.get(20, SECONDS)).isTrue();
    assertThat(written.get()).isEqualTo((long) CHUNK * CHUNKS);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void largeFileIsSentWithoutBuffering(HttpVersion version) throws Exception {
    Path file = Files.write(directory.resolve("large.txt"), new byte[1 << 20]);
    RecordingListener listener = RecordingListener.oversized(go -> go.stream(NO_EXTRA));
    int port = serve(1000, listener, ctx -> ctx.response().sendFile(file.toString(), 24));
    ClientResponse response =
        await(ClientResponse.get(server.client(version), port, HttpMethod.POST, "/x"));
    assertThat(response.body()).hasSize((1 << 20) - 24);
    assertThat(response.values("content-type")).containsExactly("text/plain");
    assertThat(listener.reports).containsExactly("oversized 200 -");
  }
}
