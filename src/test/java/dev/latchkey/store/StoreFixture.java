package dev.latchkey.store;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.ScopedKey;
import java.util.Optional;

/**
 * A store for {@link StoreContractTest}. Two methods are enough; each of the others enables the
 * cases of one more capability, which are otherwise skipped with a reason.
 */
public interface StoreFixture extends AutoCloseable {

  /** Returns the store under test, ready; the same one every time. */
  IdempotencyStore store();

  /** Advances the store's clock, or waits that long if it cannot be advanced. */
  void advanceMillis(long millis);

  /**
   * Returns whether only {@link #advanceMillis} moves the store's clock, so that boundaries are
   * exact.
   */
  default boolean hasExactClock() {
    return false;
  }

  /** Returns a lease short enough to wait for and long enough for a few calls on a busy machine. */
  default long shortLeaseMillis() {
    return 1_000;
  }

  /** Returns the store of another node with the same records. */
  default IdempotencyStore otherNode() {
    return store();
  }

  /** Returns the effects that the store applies, if any. */
  default Optional<EffectProbe> effects() {
    return Optional.empty();
  }

  /** Loses one record, as a store may; returns false if this store cannot. */
  default boolean forget(ScopedKey key) {
    return false;
  }

  /** Fills the store; returns false if it has no limit of its own. */
  default boolean fill() {
    return false;
  }

  /** Returns whether expired records disappear without a purge. */
  default boolean expiresByItself() {
    return false;
  }

  /** Kills and restarts the server, then waits until it is ready; returns false if it cannot. */
  default boolean restart() {
    return false;
  }

  @Override
  default void close() {}
}
