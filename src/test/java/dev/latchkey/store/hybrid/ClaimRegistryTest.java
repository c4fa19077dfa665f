package dev.latchkey.store.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.store.Attempt;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The bound on lost results, seen by whether a lease counts from the lost one. */
class GrantedTest {

  private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);
  private static final long LEASE_MILLIS = 2 * HOUR_MILLIS;

  private final AtomicLong nowNanos = new AtomicLong(Long.MAX_VALUE - 1_000);
  private final ClaimRegistry registry = new ClaimRegistry(nowNanos::get, 1);
  private final Attempt first = Attempt.atNewKey().withLease(LEASE_MILLIS);
  private final Attempt second = Attempt.atNewKey().withLease(LEASE_MILLIS);

  private void advanceMillis(long millis) {
    nowNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private void loseResult(Attempt attempt) {
    registry.resultUnknown(attempt.token(), registry.nowNanos());
  }

  /** Grants a claim now; returns whether its lease counts from now, not from a lost result. */
  private boolean countsFromNow(Attempt attempt) {
    Claimed claimed = new Claimed(1, Map.of(), new Expiry(LEASE_MILLIS, LEASE_MILLIS), false);
    FirstUse firstUse = FirstUse.of(attempt.request(), claimed);
    registry.add(attempt.claim(), claimed, firstUse, registry.nowNanos());
    return registry.isSafeFor(attempt.claim(), LEASE_MILLIS - 1);
  }

  @Test
  void lostResultsBeyondTheBoundAreNotRecorded() {
    loseResult(first);
    loseResult(second);
    advanceMillis(1);

    assertThat(countsFromNow(first)).isFalse();
    assertThat(countsFromNow(second)).isTrue();
  }

  @Test
  void knownResultMakesRoom() {
    loseResult(first);
    registry.resultKnown(first.token());
    loseResult(second);
    advanceMillis(1);

    assertThat(countsFromNow(second)).isFalse();
  }

  @Test
  void lostResultMakesRoomAfterAnHour() {
    loseResult(first);
    advanceMillis(HOUR_MILLIS);
    loseResult(second);
    advanceMillis(1);
    assertThat(countsFromNow(first)).isFalse();
    loseResult(second);
    advanceMillis(1);

    assertThat(countsFromNow(second)).isFalse();
  }
}
