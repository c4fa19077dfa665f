package dev.latchkey.web.impl;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it takes to read a key, and to write it as a header and in a link. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class KeySyntaxBenchmark {

  private final List<String> quoted = List.of("\"8e03978e-40d5-43dd-bc93-6894a57f9324\"");
  private final List<String> bare = List.of("8e03978e-40d5-43dd-bc93-6894a57f9324");
  private final List<String> parameters = List.of("\"8e03978e-40d5-43dd-bc93-6894a57f9324\";a=1");
  private final String key = bare.get(0);
  private long expiryMillis = 1_767_225_600_000L;

  @Benchmark
  public Object parseQuoted() {
    return IdempotencyKeySyntax.parse(quoted);
  }

  @Benchmark
  public Object parseBare() {
    return IdempotencyKeySyntax.parse(bare);
  }

  @Benchmark
  public Object parseWithParameters() {
    return IdempotencyKeySyntax.parse(parameters);
  }

  @Benchmark
  public Object writeHeader() {
    return IdempotencyKeySyntax.toStructuredString(key);
  }

  @Benchmark
  public Object writePathSegment() {
    return IdempotencyKeySyntax.toPathSegment(key);
  }

  /** Of another second each time: what one is called is remembered. */
  @Benchmark
  public Object writeExpiry() {
    expiryMillis += 1_000;
    return HttpDates.format(expiryMillis);
  }
}
