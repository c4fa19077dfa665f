package dev.latchkey.store;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.ScopedKey;
import java.util.Optional;

/**
 * What {@link StoreContractTest} needs of a store. Two methods are enough; each of the others opens
 * the cases of one more capability, which are skipped with a reason as long as it is absent.
 */
public interface StoreFixture extends AutoCloseable {

  /** The store under test, ready. The same one every time. */
  IdempotencyStore store();

  /** Lets the store's clock advance, or waits that long where it cannot be moved. */
  void advanceMillis(long millis);

  /** True when the store's clock moves by {@link #advanceMillis} alone: boundaries are exact. */
  default boolean hasExactClock() {
    return false;
  }

  /**
   * A lease short enough to be waited for and long enough for a few calls, on a busy machine too.
   */
  default long shortLeaseMillis() {
    return 1_000;
  }

  /** Another node's view of the same records. */
  default IdempotencyStore otherNode() {
    return store();
  }

  /** The effects that the store knows, if it applies any. */
  default Optional<EffectProbe> effects() {
    return Optional.empty();
  }

  /** Loses one record, as a store that forgets may; false when this store cannot. */
  default boolean forget(ScopedKey key) {
    return false;
  }

  /** Spends all room for new keys; false when the store has no bound of its own. */
  default boolean fill() {
    return false;
  }

  /** True when expired records leave by themselves, so that a purge has nothing to count. */
  default boolean expiresByItself() {
    return false;
  }

  /** Kills and restarts what keeps the records, then waits until it serves; false if it cannot. */
  default boolean restart() {
    return false;
  }

  @Override
  default void close() {}
}
