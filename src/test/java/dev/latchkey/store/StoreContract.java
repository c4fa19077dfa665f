package dev.latchkey.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.latchkey.core.spi.Expiry;
import java.util.function.Consumer;

/** What every group of cases stands on. */
public interface StoreContract {

  /** A claimed short attempt, and the expiry that its claim returned. */
  record ShortClaim(Attempt owner, Expiry expiry) {}

  /** The fixture of this test; opened before it and closed after it. */
  StoreFixture fixture();

  /** The store under test, with blocking calls. */
  default StoreCalls store() {
    return new StoreCalls(fixture().store());
  }

  /** A first attempt whose lease and retention are short enough to wait for. */
  default Attempt shortAttempt() {
    long leaseMillis = fixture().shortLeaseMillis();
    return Attempt.atNewKey().withLease(leaseMillis).withRetention(leaseMillis);
  }

  /** Claims with a short lease and acts before the lease ends. */
  default ShortClaim shortClaim(Consumer<Attempt> inTime) {
    Attempt owner = shortAttempt();
    Expiry expiry = store().claimed(owner).expiry();
    inTime.accept(owner);
    return new ShortClaim(owner, expiry);
  }

  /** A first attempt with a short lease and a long retention. */
  default Attempt shortLease() {
    return Attempt.atNewKey().withLease(fixture().shortLeaseMillis());
  }

  /** Lets a short lease end. */
  default void endShortLease() {
    fixture().advanceMillis(fixture().shortLeaseMillis());
  }

  /** The store's effects; skips the case if it applies none. */
  default EffectProbe effects() {
    assumeTrue(fixture().effects().isPresent(), "this store applies no effects");
    return fixture().effects().get();
  }

  /** Skips the case if the clock cannot be held, so that boundaries cannot be hit. */
  default void needExactClock() {
    assumeTrue(fixture().hasExactClock(), "this store's clock cannot be held");
  }
}
