package dev.latchkey.store;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Verifies that a store fulfils the contract of {@link dev.latchkey.core.spi.IdempotencyStore}.
 * Extend it, open the store, and run:
 *
 * <pre>{@code
 * class MyStoreContractTest extends StoreContractTest {
 *   @Override
 *   protected StoreFixture open() {
 *     AtomicLong now = new AtomicLong(1_700_000_000_000L);
 *     MyStore store = new MyStore(now::get);
 *     return new StoreFixture() {
 *       public IdempotencyStore store() { return store; }
 *       public void advanceMillis(long millis) { now.addAndGet(millis); }
 *       public boolean hasExactClock() { return true; }
 *       public void close() { store.close(); }
 *     };
 *   }
 * }
 * }</pre>
 *
 * Capabilities that a fixture does not offer are skipped with a reason, never passed. A store that
 * outlives a test must be emptied before the next, since purges are counted.
 */
public abstract class StoreContractTest
    implements ClaimContract,
        ReleaseContract,
        FencingContract,
        MismatchContract,
        EffectContract,
        ExpiryContract,
        ContentContract,
        WakeUpContract,
        HousekeepingContract,
        RaceContract {

  private StoreFixture fixture;

  /** Opens the store for one test, empty. */
  protected abstract StoreFixture open();

  @BeforeEach
  void openFixture() {
    fixture = open();
  }

  @AfterEach
  void closeFixture() {
    if (fixture != null) {
      fixture.close();
    }
  }

  @Override
  public final StoreFixture fixture() {
    return fixture;
  }
}
