package dev.latchkey.store.hybrid;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.EffectProbe;
import dev.latchkey.store.StoreContractTest;
import dev.latchkey.store.StoreFixture;
import dev.latchkey.store.memory.EffectTarget;
import dev.latchkey.store.memory.MemoryStore;
import dev.latchkey.store.postgres.PostgresNodes;
import dev.latchkey.store.postgres.PostgresReceipts;
import dev.latchkey.testing.servers.RealServers;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Claims in memory, receipts on a real Postgres; all clocks are held by the test. */
class HybridStoreContractTest extends StoreContractTest {

  private static final long BUDGET_BYTES = 64 << 20;

  private static PostgresNodes nodes;
  private static PostgresReceipts receipts;
  private static PostgresReceipts otherReceipts;

  @BeforeAll
  static void openNodes() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    nodes.holdClock();
    receipts = nodes.openReceipts();
    otherReceipts = nodes.openReceipts();
  }

  @AfterAll
  static void closeNodes() {
    nodes.close();
  }

  @Override
  protected StoreFixture open() {
    nodes.database.value("TRUNCATE latchkey_receipt");
    return new Fixture();
  }

  private static final class Fixture implements StoreFixture {
    private final AtomicLong now = new AtomicLong(1_600_000_000_000L);
    private final MemoryBudget budget = new MemoryBudget(BUDGET_BYTES);
    private final MemoryStore claims =
        MemoryStore.create(budget, EffectTarget.NONE, () -> Instant.ofEpochMilli(now.get()));
    private final HybridStore store = hybrid(receipts);
    private final HybridStore other = hybrid(otherReceipts);

    private HybridStore hybrid(PostgresReceipts over) {
      return HybridStore.create(
          claims, over, () -> TimeUnit.MILLISECONDS.toNanos(now.get()), ClaimRegistry.MAX_CLAIMS);
    }

    @Override
    public IdempotencyStore store() {
      return store;
    }

    @Override
    public IdempotencyStore otherNode() {
      return other;
    }

    @Override
    public void advanceMillis(long millis) {
      now.addAndGet(millis);
      nodes.advanceMillis(millis);
    }

    @Override
    public boolean hasExactClock() {
      return true;
    }

    /** A completed key leaves a claim and a receipt, which a purge counts both. */
    @Override
    public boolean expiresByItself() {
      return true;
    }

    @Override
    public Optional<EffectProbe> effects() {
      return Optional.of(nodes.effects);
    }

    @Override
    public boolean fill() {
      budget.add(BUDGET_BYTES);
      return true;
    }
  }
}
