package dev.latchkey.web;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.IdempotencyListener;
import dev.latchkey.core.NodeOptions;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.memory.EffectTarget;
import dev.latchkey.store.memory.MemoryStore;
import dev.latchkey.testing.TestVertx;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MicrometerListenerTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MicrometerListener listener = new MicrometerListener(registry);

  @Test
  void everyEventIsReported() {
    assertThat(MicrometerListener.class.getDeclaredMethods())
        .extracting(Method::getName)
        .containsAll(
            Arrays.stream(IdempotencyListener.class.getMethods()).map(Method::getName).toList());
  }

  @Test
  void storeCallsOfANodeAreTimed() {
    Vertx vertx = TestVertx.create();
    MemoryStore store = MemoryStore.create(MemoryBudget.ofHeap(), EffectTarget.NONE);
    IdempotencyNode node = IdempotencyNode.create(vertx, store, new NodeOptions(), listener);
    listener.parked(node::parked);
    await(node.purgeExpired(1));
    assertThat(registry.get("latchkey.store").tag("operation", "purge_expired").timer().count())
        .isOne();
    assertThat(registry.get("latchkey.parked").gauge().value()).isZero();
    node.close();
    await(vertx.close());
  }
}
