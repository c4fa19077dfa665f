package dev.latchkey.web.fingerprint;

import dev.latchkey.core.spi.Fingerprint;
import java.nio.charset.StandardCharsets;
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

/** What the fingerprint of a request takes, and the key that is derived from it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FingerprintBenchmark {

  private static final String ROUTE = "POST /v1/payments";

  private final byte[] small =
      """
      {"amount":1250,"currency":"EUR","payment_method":"pm_card_visa","customer":"customer-17",\
      "description":"Order 1017, two items","metadata":{"order":"1017","channel":"web"}}"""
          .getBytes(StandardCharsets.UTF_8);
  private final byte[] large =
      ("{\"description\":\"" + "x".repeat(64 * 1024) + "\"}").getBytes(StandardCharsets.UTF_8);
  private final Fingerprint fingerprint = Fingerprint.of(new byte[32]);

  @Benchmark
  public Object payment() {
    return build(small);
  }

  @Benchmark
  public Object largeBody() {
    return build(large);
  }

  @Benchmark
  public Object derivedKey() {
    return DownstreamKey.derive("default", "8e03978e-40d5", ROUTE, fingerprint, "charge");
  }

  private static Object build(byte[] body) {
    return Fingerprints.of("POST", "/v1/payments", "", "application/json", body);
  }
}
