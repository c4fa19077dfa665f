package dev.latchkey.store.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.store.Attempt;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The bound on lost answers, seen by whether a lease counts from the sending that was one. */
class GrantedTest {

  private static final long HOUR_MILLIS = TimeUnit.HOURS.toMillis(1);
  private static final long LEASE_MILLIS = 2 * HOUR_MILLIS;

  private final AtomicLong nowNanos = new AtomicLong(Long.MAX_VALUE - 1_000);
  private final Granted granted = new Granted(nowNanos::get, 1);
  private final Attempt first = Attempt.atNewKey().withLease(LEASE_MILLIS);
  private final Attempt second = Attempt.atNewKey().withLease(LEASE_MILLIS);

  private void advanceMillis(long millis) {
    nowNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private void loseAnswer(Attempt attempt) {
    granted.unheard(attempt.token(), granted.nowNanos());
  }

  /** Grants a claim now; returns whether its lease is counted from now, not from a lost answer. */
  private boolean countsFromNow(Attempt attempt) {
    Claimed claimed = new Claimed(1, Map.of(), new Expiry(LEASE_MILLIS, LEASE_MILLIS), false);
    FirstUse firstUse = FirstUse.of(attempt.request(), claimed);
    granted.add(attempt.claim(), claimed, firstUse, granted.nowNanos());
    return granted.isSafeFor(attempt.claim(), LEASE_MILLIS - 1);
  }

  @Test
  void lostAnswersPastTheBoundAreNotNoted() {
    loseAnswer(first);
    loseAnswer(second);
    advanceMillis(1);

    assertThat(countsFromNow(first)).isFalse();
    assertThat(countsFromNow(second)).isTrue();
  }

  @Test
  void answerThatIsHeardMakesRoom() {
    loseAnswer(first);
    granted.heard(first.token());
    loseAnswer(second);
    advanceMillis(1);

    assertThat(countsFromNow(second)).isFalse();
  }

  @Test
  void lostAnswerMakesRoomAfterAnHour() {
    loseAnswer(first);
    advanceMillis(HOUR_MILLIS);
    loseAnswer(second);
    advanceMillis(1);
    assertThat(countsFromNow(first)).isFalse();
    loseAnswer(second);
    advanceMillis(1);

    assertThat(countsFromNow(second)).isFalse();
  }
}
