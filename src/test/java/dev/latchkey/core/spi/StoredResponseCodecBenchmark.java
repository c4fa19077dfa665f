package dev.latchkey.core.spi;

import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.buffer.Buffer;
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

/** What it takes to write a stored answer and to read it back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class StoredResponseCodecBenchmark {

  private final StoredResponse response =
      StoredResponse.of(
          201,
          List.of(
              new Header("Content-Type", "application/json"),
              new Header("Location", "/v1/payments/pay_4HQPcoJbTV9SUjCPLLlPLc"),
              new Header("ETag", "\"1\"")),
          Buffer.buffer("x".repeat(480)));
  private final byte[] encoded = StoredResponseCodec.encode(response);

  @Benchmark
  public Object encode() {
    return StoredResponseCodec.encode(response);
  }

  @Benchmark
  public Object decode() {
    return StoredResponseCodec.decode(encoded);
  }
}
