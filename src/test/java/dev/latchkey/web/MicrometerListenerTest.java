package dev.latchkey.web;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.IdempotencyListener.Outcome;
import dev.latchkey.core.NodeOptions;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.memory.EffectTarget;
import dev.latchkey.store.memory.MemoryStore;
import dev.latchkey.testing.TestVertx;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class MicrometerListenerTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MicrometerListener listener = new MicrometerListener(registry);

  @Test
  void everyOutcomeHasItsCounterFromTheStart() {
    for (Outcome outcome : Outcome.values()) {
      String tag = outcome.name().toLowerCase(Locale.ROOT);
      var counter = registry.get("latchkey.requests").tag("outcome", tag).counter();
      assertThat(counter.count()).isZero();
      listener.responded(outcome);
      assertThat(counter.count()).isOne();
    }
  }

  @Test
  void everyEventOfTheListenerIsCounted() {
    listener.unparked(1);
    listener.woken(1);
    listener.takenOver();
    listener.leaseLost();
    listener.resultDiscarded();
    assertThat(registry.get("latchkey.park").timer().count()).isOne();
    assertThat(registry.get("latchkey.wake").timer().count()).isOne();
    assertThat(registry.get("latchkey.takeovers").counter().count()).isOne();
    assertThat(registry.get("latchkey.lost.leases").counter().count()).isOne();
    assertThat(registry.get("latchkey.displaced").counter().count()).isOne();
    assertThat(Arrays.stream(MicrometerListener.class.getInterfaces()[0].getMethods()))
        .as("events")
        .extracting(Method::getName)
        .containsExactlyInAnyOrder(
            "responded",
            "unparked",
            "woken",
            "takenOver",
            "leaseLost",
            "resultDiscarded",
            "storeCalled");
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
