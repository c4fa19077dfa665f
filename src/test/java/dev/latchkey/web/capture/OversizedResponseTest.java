package dev.latchkey.web.capture;

import static dev.latchkey.testing.Await.await;
import static dev.latchkey.web.capture.RecordingListener.NO_EXTRA;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
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

  /** Writes 20 MiB as a well-behaved producer does, and counts what it has written. */
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
    CompletableFuture<OversizedResponse> overflow = new CompletableFuture<>();
    CompletableFuture<Context> context = new CompletableFuture<>();
    // A turn later, when the producer has seen that the queue is full.
    RecordingListener listener =
        RecordingListener.oversized(go -> context.join().runOnContext(v -> overflow.complete(go)));
    int port =
        serve(
            MAX,
            listener,
            ctx -> {
              context.complete(Vertx.currentContext());
              ctx.response().setStatusCode(201).putHeader("Location", "/p/1").setChunked(true);
              produce(ctx.response(), written);
            });
    AtomicLong received = new AtomicLong();
    CompletableFuture<Void> paused = new CompletableFuture<>();
    CompletableFuture<Void> all = new CompletableFuture<>();
    CompletableFuture<Runnable> resume = new CompletableFuture<>();
    server
        .client(version)
        .request(HttpMethod.POST, port, "127.0.0.1", "/x")
        .onSuccess(
            request ->
                request
                    .send()
                    .onSuccess(
                        response -> {
                          response.handler(bytes -> received.addAndGet(bytes.length()));
                          response.endHandler(v -> all.complete(null));
                          response.pause();
                          resume.complete(response::resume);
                          paused.complete(null);
                        }));
    OversizedResponse go = overflow.get(20, SECONDS);
    assertThat(listener.reports).containsExactly("oversized 201 /p/1");
    // Nothing more is produced while it is not decided.
    assertThat(written.get()).isEqualTo(MAX + CHUNK);
    context.join().runOnContext(v -> go.stream(NO_EXTRA));
    paused.get(20, SECONDS);
    resume.get(20, SECONDS).run();
    all.get(20, SECONDS);
    assertThat(received.get()).isEqualTo((long) CHUNK * CHUNKS);
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
    CompletableFuture<Runnable> resume = new CompletableFuture<>();
    AtomicLong received = new AtomicLong();
    CompletableFuture<Void> all = new CompletableFuture<>();
    server
        .client(version)
        .request(HttpMethod.POST, port, "127.0.0.1", "/x")
        .onSuccess(
            request ->
                request
                    .send()
                    .onSuccess(
                        response -> {
                          response.pause();
                          response.handler(bytes -> received.addAndGet(bytes.length()));
                          response.endHandler(v -> all.complete(null));
                          resume.complete(response::resume);
                        }));
    Runnable resumed = resume.get(20, SECONDS);
    HttpServerResponse response = full.get(20, SECONDS);
    CompletableFuture<Void> drained = new CompletableFuture<>();
    response.drainHandler(v -> drained.complete(null));
    resumed.run();
    drained.get(20, SECONDS);
    response.end();
    all.get(20, SECONDS);
    assertThat(received.get()).isEqualTo(written.get());
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void singleLargeWriteKeepsItsLength(HttpVersion version) throws Exception {
    int port =
        serve(
            10,
            RecordingListener.oversized(go -> go.stream(NO_EXTRA)),
            ctx -> ctx.response().end("eleven bytes"));
    ClientResponse wire =
        await(ClientResponse.get(server.client(version), port, HttpMethod.POST, "/x"));
    assertThat(wire.body()).isEqualTo("eleven bytes");
    assertThat(wire.headers()).containsExactly("content-length: 12");
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
    ClientResponse wire =
        await(ClientResponse.get(server.client(version), port, HttpMethod.POST, "/x"));
    assertThat(wire.status()).isEqualTo(409);
    assertThat(wire.body()).isEqualTo("not retained");
    assertThat(wire.values("x-dropped")).isEmpty();
    assertThat(ended.get(20, SECONDS)).isTrue();
    assertThat(written.get()).isEqualTo((long) CHUNK * CHUNKS);
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void largeFileIsSentWithoutBuffering(HttpVersion version) throws Exception {
    Path file = Files.write(directory.resolve("large.txt"), new byte[1 << 20]);
    RecordingListener listener = RecordingListener.oversized(go -> go.stream(NO_EXTRA));
    int port = serve(1000, listener, ctx -> ctx.response().sendFile(file.toString(), 24));
    ClientResponse wire =
        await(ClientResponse.get(server.client(version), port, HttpMethod.POST, "/x"));
    assertThat(wire.body()).hasSize((1 << 20) - 24);
    assertThat(wire.values("content-type")).containsExactly("text/plain");
    assertThat(listener.reports).containsExactly("oversized 200 -");
  }
}
