package dev.latchkey.idempotency.impl.capture;

import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What capturing an answer takes: the wrapper, status, three headers, a body and the report. The
 * request and the real response are stand-ins that do nothing.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CaptureBenchmark {

  private final Buffer body = Buffer.buffer("x".repeat(480));
  private final Sink sink = new Forgetting();
  private Vertx vertx;
  private HttpServerRequestInternal request;

  @Setup
  public void start() {
    vertx = Vertx.vertx();
    ContextInternal context = ((VertxInternal) vertx).createEventLoopContext();
    MultiMap headers = HttpHeaders.headers();
    HttpServerResponse response =
        stub(
            HttpServerResponse.class,
            method ->
                switch (method) {
                  case "headers" -> headers;
                  case "getStatusCode" -> 200;
                  case "isChunked", "headWritten", "ended", "closed" -> false;
                  default -> null;
                });
    request =
        stub(
            HttpServerRequestInternal.class,
            method ->
                switch (method) {
                  case "response" -> response;
                  case "context" -> context;
                  case "version" -> HttpVersion.HTTP_1_1;
                  case "method" -> HttpMethod.POST;
                  default -> null;
                });
  }

  @TearDown
  public void stop() {
    vertx.close();
  }

  @Benchmark
  public Object wrapAlone() {
    return new CapturingResponse(request);
  }

  @Benchmark
  public Object capture() {
    CapturingResponse capturing = new CapturingResponse(request);
    capturing.begin(1 << 20, sink);
    return capturing
        .proxy()
        .setStatusCode(201)
        .putHeader("Content-Type", "application/json")
        .putHeader("Location", "/v1/payments/pay_4HQPcoJbTV9SUjCPLLlPLc")
        .putHeader("ETag", "\"1\"")
        .end(body);
  }

  private static final class Forgetting implements Sink {
    @Override
    public void captured(Answer answer) {}

    @Override
    public void overflow(int status, Optional<String> location, OverflowContinuation go) {}

    @Override
    public void aborted(Throwable why) {}
  }

  private interface Answering {
    Object to(String method);
  }

  private static <T> T stub(Class<T> type, Answering answering) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) -> answering.to(method.getName())));
  }
}
