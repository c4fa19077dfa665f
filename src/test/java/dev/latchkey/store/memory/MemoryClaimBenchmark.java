package dev.latchkey.store.memory;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Token;
import dev.latchkey.net.MemoryBudget;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Time of a claim in the memory store, alone and with its completion. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class MemoryClaimBenchmark {

  private static final String ROUTE = "POST /v1/payments";

  private final Fingerprint fingerprint = Fingerprint.of(new byte[32]);
  private final StoredResponse response =
      StoredResponse.of(201, List.of(), Buffer.buffer("x".repeat(480)));
  private MemoryStore store;
  private long next;

  @Setup(Level.Iteration)
  public void fresh() {
    store = MemoryStore.create(new MemoryBudget(Long.MAX_VALUE), EffectTarget.NONE);
    store.claim(request(0)).result();
    store.complete(request(0).claim(), response, List.of()).result();
    next = 1;
  }

  @Benchmark
  public Object claimNew() {
    return store.claim(request(next++)).result();
  }

  @Benchmark
  public Object claimAndComplete() {
    ClaimRequest request = request(next++);
    store.claim(request).result();
    return store.complete(request.claim(), response, List.of()).result();
  }

  @Benchmark
  public Object claimCompleted() {
    return store.claim(request(0)).result();
  }

  private ClaimRequest request(long number) {
    ScopedKey key = new ScopedKey("default", ROUTE, "8e03978e-" + number);
    Claim claim = new Claim(key, fingerprint, new Token(number, 1), 10_000);
    return new ClaimRequest(claim, 86_400_000, ClaimRequest.Mode.ARRIVAL, false);
  }
}
