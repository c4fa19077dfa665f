package dev.latchkey.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** What every group of cases stands on. */
public interface StoreContract {

  /** The store of this test; opened before it and closed after it. */
  StoreFixture fixture();

  /** The store under test, its answers waited for. */
  default StoreCalls store() {
    return new StoreCalls(fixture().store());
  }

  /** A first attempt whose lease and retention are short enough to be waited for. */
  default Attempt shortAttempt() {
    long leaseMillis = fixture().shortLeaseMillis();
    return Attempt.atNewKey().withLease(leaseMillis).withRetention(leaseMillis);
  }

  /** A first attempt with a short lease and a long retention. */
  default Attempt shortLease() {
    return Attempt.atNewKey().withLease(fixture().shortLeaseMillis());
  }

  /** Lets a short lease end. */
  default void endShortLease() {
    fixture().advanceMillis(fixture().shortLeaseMillis());
  }

  /** The store's effects; skips the case where it applies none. */
  default EffectProbe effects() {
    assumeTrue(fixture().effects().isPresent(), "this store applies no effects");
    return fixture().effects().get();
  }

  /** Skips the case where time goes by itself, so that boundaries cannot be hit. */
  default void needExactClock() {
    assumeTrue(fixture().hasExactClock(), "this store's clock cannot be held");
  }
}
