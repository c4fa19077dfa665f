package dev.latchkey.store.memory;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.EffectProbe;
import dev.latchkey.store.ForgetfulStore;
import dev.latchkey.store.StoreContractTest;
import dev.latchkey.store.StoreFixture;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

class MemoryStoreContractTest extends StoreContractTest {

  private static final long BUDGET_BYTES = 64 << 20;

  @Override
  protected StoreFixture open() {
    AtomicLong now = new AtomicLong(1_700_000_000_000L);
    MemoryBudget budget = new MemoryBudget(BUDGET_BYTES);
    EffectsInMemory effects = new EffectsInMemory();
    ForgetfulStore store =
        new ForgetfulStore(
            () -> MemoryStore.create(budget, effects, () -> Instant.ofEpochMilli(now.get())));
    return new StoreFixture() {
      @Override
      public IdempotencyStore store() {
        return store.store();
      }

      @Override
      public void advanceMillis(long millis) {
        now.addAndGet(millis);
      }

      @Override
      public boolean hasExactClock() {
        return true;
      }

      @Override
      public Optional<EffectProbe> effects() {
        return Optional.of(effects);
      }

      @Override
      public boolean forget(ScopedKey key) {
        store.forget();
        return true;
      }

      @Override
      public boolean fill() {
        budget.add(BUDGET_BYTES);
        return true;
      }
    };
  }
}
