package dev.latchkey.store;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.CompleteResult.LostLease;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.StepResult;
import org.junit.jupiter.api.Test;

/** When a key is free again. */
public interface ExpiryContract extends StoreContract {

  @Test
  default void completedKeyIsFreeAfterItsRetention() {
    Attempt owner = shortClaim(store()::completed).owner();
    endShortLease();

    assertThat(store().lookup(owner)).isInstanceOf(KeyState.Absent.class);
    Claimed claimed = store().claimed(owner.otherRequest());
    assertThat(claimed.attempt()).isEqualTo(1);
    assertThat(claimed.steps()).isEmpty();
  }

  @Test
  default void releasedKeyIsFreeAfterItsRetention() {
    Attempt owner =
        shortClaim(
                claimed -> {
                  store().recorded(claimed, "charge", "ch_1");
                  store().released(claimed);
                })
            .owner();
    endShortLease();

    Claimed claimed = store().claimed(owner.otherRequest());

    assertThat(claimed.attempt()).isEqualTo(1);
    assertThat(claimed.steps()).isEmpty();
  }

  @Test
  default void keyOfADeadOwnerIsFreeAfterRetentionAndLease() {
    Attempt dead = shortAttempt();
    store().claimed(dead);
    endShortLease();

    assertThat(store().lookup(dead)).isInstanceOf(KeyState.Absent.class);
    assertThat(store().claimed(dead.otherRequest()).takenOver()).isFalse();
  }

  @Test
  default void expiredKeyIsAbsentToEveryCallBeforeItIsPurged() {
    Attempt owner = shortAttempt();
    store().claimed(owner);
    endShortLease();

    assertThat(store().complete(owner, StoreCalls.CREATED)).isInstanceOf(LostLease.class);
    assertThat(store().release(owner)).isEqualTo(ReleaseResult.LOST_LEASE);
    assertThat(store().renew(owner)).containsExactly(owner.token());
    assertThat(store().step(owner, "s", "x")).isEqualTo(StepResult.LOST_LEASE);
    assertThat(store().watch(owner)).isInstanceOf(KeyState.Absent.class);
    assertThat(await(fixture().store().records(owner.key().tenant(), owner.key().key(), 10)))
        .isEmpty();
  }

  @Test
  default void ownerOfAnExpiredKeyClaimsItAgainUnderItsTokenAndCompletes() {
    Attempt owner = shortClaim(claimed -> store().recorded(claimed, "charge", "ch_1")).owner();
    endShortLease();
    assertThat(store().complete(owner, StoreCalls.CREATED)).isInstanceOf(LostLease.class);

    Claimed again = store().claimed(owner.withRetention(Attempt.LONG_RETENTION_MILLIS));

    assertThat(again.attempt()).isEqualTo(1);
    assertThat(again.takenOver()).isFalse();
    assertThat(again.steps()).isEmpty();
    store().completed(owner);
  }

  @Test
  default void expiryIsExactAndDrivenByTheStoresClock() {
    needExactClock();
    Attempt owner = Attempt.atNewKey();
    Expiry first = store().claimed(owner).expiry();
    assertThat(first.inMillis()).isEqualTo(Attempt.LONG_RETENTION_MILLIS);
    fixture().advanceMillis(10);
    assertThat(store().completed(owner))
        .isEqualTo(new Expiry(first.atEpochMillis(), first.inMillis() - 10));
    fixture().advanceMillis(first.inMillis() - 11);

    assertThat(((ClaimResult.Completed) store().claim(owner.retried())).expiry())
        .isEqualTo(new Expiry(first.atEpochMillis(), 1));
    assertThat(store().claim(owner.otherRequest())).isInstanceOf(ClaimResult.Mismatch.class);

    fixture().advanceMillis(1);
    assertThat(store().lookup(owner)).isInstanceOf(KeyState.Absent.class);
    assertThat(store().claimed(owner.otherRequest()).attempt()).isEqualTo(1);
  }

  @Test
  default void keyIsNotExpiredUnderALiveLease() {
    Attempt owner =
        shortClaim(claimed -> store().renewed(claimed.withLease(Attempt.LONG_LEASE_MILLIS)))
            .owner();
    endShortLease();

    assertThat(store().claim(owner.retried())).isInstanceOf(ClaimResult.InFlight.class);
    assertThat(store().claim(owner.otherRequest())).isInstanceOf(ClaimResult.Mismatch.class);
    assertThat(await(fixture().store().purgeExpired(1_000)).purged()).isZero();
    assertThat(store().lookup(owner)).isInstanceOf(KeyState.InProgress.class);
  }

  @Test
  default void lateCompletionIsKeptForOneMoreLease() {
    ShortClaim first =
        shortClaim(claimed -> store().renewed(claimed.withLease(Attempt.LONG_LEASE_MILLIS)));
    Attempt owner = first.owner();
    Attempt renewed = owner.withLease(Attempt.LONG_LEASE_MILLIS);
    endShortLease();

    Expiry moved = store().completed(renewed);

    assertThat(moved.atEpochMillis()).isGreaterThan(first.expiry().atEpochMillis());
    assertThat(moved.inMillis()).isBetween(1L, Attempt.LONG_LEASE_MILLIS);
    assertThat(store().completed(renewed).atEpochMillis()).isEqualTo(moved.atEpochMillis());
    assertThat(store().claim(owner.retried())).isInstanceOf(ClaimResult.Completed.class);
  }

  @Test
  default void lateCompletionIsFreeOneLeaseAfterItself() {
    needExactClock();
    Attempt owner = shortAttempt();
    store().claimed(owner);
    Attempt renewed = owner.withLease(10_000);
    store().renew(renewed);
    fixture().advanceMillis(9_000);
    assertThat(store().completed(renewed).inMillis()).isEqualTo(10_000);

    fixture().advanceMillis(9_999);
    assertThat(store().lookup(owner)).isInstanceOf(KeyState.Completed.class);
    fixture().advanceMillis(1);
    assertThat(store().lookup(owner)).isInstanceOf(KeyState.Absent.class);
  }

  @Test
  default void completionInTimeLeavesTheExpiryOfTheFirstUse() {
    Attempt first = Attempt.atNewKey();
    Expiry expiry = store().claimed(first).expiry();
    store().released(first);
    Attempt second = first.retried().withRetention(2 * Attempt.LONG_RETENTION_MILLIS);

    assertThat(store().claimed(second).expiry().atEpochMillis()).isEqualTo(expiry.atEpochMillis());
    assertThat(store().completed(second).atEpochMillis()).isEqualTo(expiry.atEpochMillis());
  }

  @Test
  default void keyIsFreeAtItsExpiryWhateverItsLease() {
    needExactClock();
    Attempt owner = shortAttempt();
    Expiry first = store().claimed(owner).expiry();
    store().renew(owner.withLease(Attempt.LONG_LEASE_MILLIS));

    Expiry named = store().completed(owner);

    assertThat(named.atEpochMillis()).isEqualTo(first.atEpochMillis());
    fixture().advanceMillis(named.inMillis());
    assertThat(store().lookup(owner)).isInstanceOf(KeyState.Absent.class);
  }
}
