package dev.latchkey.web.capture;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * The cost of capturing a response: the wrapper, status, three headers, a body and the report. All
 * wrap the response of one request over loopback, which capturing leaves untouched.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CaptureBenchmark {

  private static final int CALLS = 1_000;

  private final Buffer body = Buffer.buffer("x".repeat(480));
  private final CaptureListener listener = new Forgetting();
  private Vertx vertx;
  private HttpClient client;
  private HttpServerRequestInternal request;
  private Blackhole blackhole;

  @Setup
  public void start(Blackhole unused) throws Exception {
    blackhole = unused;
    vertx = Vertx.vertx();
    client = vertx.createHttpClient();
    CompletableFuture<HttpServerRequest> arrived = new CompletableFuture<>();
    vertx
        .createHttpServer()
        .requestHandler(arrived::complete)
        .listen(0, "127.0.0.1")
        .compose(
            server ->
                client.request(HttpMethod.POST, server.actualPort(), "127.0.0.1", "/v1/payments"))
        .onSuccess(sent -> sent.send(body))
        .onFailure(arrived::completeExceptionally);
    request = (HttpServerRequestInternal) arrived.get(10, TimeUnit.SECONDS);
  }

  @TearDown
  public void stop() {
    vertx.close();
  }

  @Benchmark
  @OperationsPerInvocation(CALLS)
  public Object wrapAlone() throws Exception {
    return onItsContext(() -> new CapturingResponse(request));
  }

  @Benchmark
  @OperationsPerInvocation(CALLS)
  public Object capture() throws Exception {
    return onItsContext(
        () -> {
          CapturingResponse capturing = new CapturingResponse(request);
          capturing.begin(1 << 20, listener);
          return capturing
              .proxy()
              .setStatusCode(201)
              .putHeader("Content-Type", "application/json")
              .putHeader("Location", "/v1/payments/pay_4HQPcoJbTV9SUjCPLLlPLc")
              .putHeader("ETag", "\"1\"")
              .end(body);
        });
  }

  /** Many at a time, so that the hops to the context and back cost next to nothing. */
  private Object onItsContext(Supplier<Object> call) throws Exception {
    CompletableFuture<Object> last = new CompletableFuture<>();
    request
        .context()
        .runOnContext(
            go -> {
              for (int i = 1; i < CALLS; i++) {
                blackhole.consume(call.get());
              }
              last.complete(call.get());
            });
    return last.get(10, TimeUnit.SECONDS);
  }

  private static final class Forgetting implements CaptureListener {
    @Override
    public void captured(CapturedResponse response) {}

    @Override
    public void oversized(int status, Optional<String> location, OversizedResponse go) {}

    @Override
    public void aborted(Throwable why) {}
  }
}
