package dev.latchkey.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.CountingStore;
import dev.latchkey.store.ForgetfulStore;
import dev.latchkey.store.memory.MemoryStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** Two nodes over one memory store that a test can disturb. Nothing may be left behind. */
abstract class EngineOverStore {

  record Payment(String name) implements Effect {}

  static final long STORE_TIMEOUT_MILLIS = NodeOptions.DEFAULT_STORE_TIMEOUT_MILLIS;

  final EngineFixture world = new EngineFixture(7);
  final List<Effect> payments = new ArrayList<>();
  Optional<EffectRefused> refusal = Optional.empty();

  /** Whether the store is full after it next loses its records. */
  boolean storeIsFull;

  final ForgetfulStore memory =
      new ForgetfulStore(
          () ->
              MemoryStore.create(
                  budget(),
                  effects -> {
                    if (refusal.isEmpty()) {
                      payments.addAll(effects);
                    }
                    return refusal;
                  },
                  () -> Instant.ofEpochMilli(world.nowMillis())));
  final CountingStore store = new CountingStore(memory.store());
  final EngineFixture.Node a = world.newNode("A", store);
  final EngineFixture.Node b = world.newNode("B", store);
  final Operation pay = EngineFixture.operation("key", "pay 10");

  private MemoryBudget budget() {
    MemoryBudget budget = new MemoryBudget(1 << 20);
    budget.add(storeIsFull ? 1 << 20 : 0);
    return budget;
  }

  @AfterEach
  void nothingIsLeftBehind() {
    world.passMillis(3 * EngineFixture.TERMS.runLimitMillis());
    for (EngineFixture.Node node : List.of(a, b)) {
      assertThat(node.engine.running()).as("%s runs, %s", node.name, world.story).isZero();
      assertThat(node.engine.parked()).as("%s parks, %s", node.name, world.story).isZero();
      assertThat(node.engine.node.table).as("%s, %s", node.name, world.story).isEmpty();
    }
  }
}
