package dev.latchkey.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.CompleteResult.LostLease;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.StepResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a released key keeps, and who may have it. */
public interface ReleaseContract extends StoreContract {

  @ParameterizedTest
  @EnumSource(names = {"ARRIVAL", "NO_TAKEOVER"})
  default void releasedKeyKeepsItsAttemptStepsAndExpiry(Mode mode) {
    Attempt first = Attempt.atNewKey();
    long expiresAt = store().claimed(first).expiry().atEpochMillis();
    store().step(first, "charge", "ch_1");
    store().released(first);

    Claimed claimed = store().claimed(first.retried().withMode(mode));

    assertThat(claimed.attempt()).isEqualTo(2);
    assertThat(claimed.takenOver()).isFalse();
    assertThat(claimed.steps()).containsOnlyKeys("charge");
    assertThat(claimed.steps().get("charge")).hasToString("ch_1");
    assertThat(claimed.expiry().atEpochMillis()).isEqualTo(expiresAt);
  }

  @Test
  default void releasedKeyIsRead() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    store().released(owner);

    assertThat(store().lookup(owner))
        .isEqualTo(new KeyState.Released(owner.claim().fingerprint(), owner.token()));
  }

  @Test
  default void repeatedReleaseHasTheSameResult() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    store().released(owner);

    store().released(owner);
  }

  @ParameterizedTest
  @EnumSource
  default void lateCopyOfAReleasedClaimIsWithdrawnInEveryMode(Mode mode) {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    store().released(owner);

    assertThat(store().claim(owner.withMode(mode))).isInstanceOf(ClaimResult.Withdrawn.class);
    assertThat(store().lookup(owner)).isInstanceOf(KeyState.Released.class);
  }

  @Test
  default void waiterOfAReleasedKeyTakesNothing() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    store().released(owner);

    assertThat(store().claim(owner.retried().withMode(Mode.TAKEOVER)))
        .isInstanceOf(ClaimResult.Released.class);
    assertThat(store().lookup(owner)).isInstanceOf(KeyState.Released.class);
  }

  @Test
  default void releasedClaimCannotWrite() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    store().released(owner);

    assertThat(store().complete(owner, StoreCalls.CREATED)).isInstanceOf(LostLease.class);
    assertThat(store().renew(owner)).containsExactly(owner.token());
    assertThat(store().step(owner, "late", "x")).isEqualTo(StepResult.LOST_LEASE);
    assertThat(store().lookup(owner)).isInstanceOf(KeyState.Released.class);
    assertThat(store().claimed(owner.retried()).steps()).isEmpty();
  }

  @Test
  default void claimIsReleasedAfterItsLeaseUnlessTakenOver() {
    Attempt owner = shortLease();
    store().claimed(owner);
    endShortLease();

    store().released(owner);

    assertThat(store().claimed(owner.retried()).takenOver()).isFalse();
  }

  @Test
  default void completedKeyIsNotReleased() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    store().completed(owner);

    assertThat(store().release(owner)).isEqualTo(ReleaseResult.LOST_LEASE);
    assertThat(store().lookup(owner)).isInstanceOf(KeyState.Completed.class);
  }

  @Test
  default void everyAttemptIsCounted() {
    Attempt attempt = Attempt.atNewKey();
    for (int number = 1; number <= 5; number++) {
      assertThat(store().claimed(attempt).attempt()).isEqualTo(number);
      store().released(attempt);
      attempt = attempt.retried();
    }
  }
}
