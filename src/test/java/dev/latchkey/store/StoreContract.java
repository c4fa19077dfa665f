package dev.latchkey.store;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.latchkey.core.spi.Expiry;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What every group of cases stands on. */
public interface StoreContract {

  /** How often a test retries actions that a busy machine delayed beyond a lease. */
  int TRIES = 20;

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

  /**
   * Claims with a short lease and acts before the lease ends. If a busy machine was too slow, and
   * the lease has ended, it tries again with another key.
   */
  default ShortClaim shortClaim(Consumer<Attempt> inTime) {
    long leaseNanos = TimeUnit.MILLISECONDS.toNanos(fixture().shortLeaseMillis());
    for (int tries = 1; ; tries++) {
      Attempt owner = shortAttempt();
      long beforeNanos = System.nanoTime();
      Expiry expiry = store().claimed(owner).expiry();
      try {
        inTime.accept(owner);
        return new ShortClaim(owner, expiry);
      } catch (AssertionError failed) {
        boolean late = System.nanoTime() - beforeNanos >= leaseNanos;
        if (fixture().hasExactClock() || !late || tries == TRIES) {
          throw failed;
        }
      }
    }
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
