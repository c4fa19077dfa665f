package dev.latchkey.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.ClaimResult.InFlight;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.LostLease;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.Token;
import org.junit.jupiter.api.Test;

/** Only the token that holds a claim writes under it. */
public interface FencingContract extends StoreContract {

  /** A claim of a superseded owner, and the attempt that took it over. */
  record Takeover(Attempt dead, Attempt owner) {}

  /** Lets another attempt take over an owner's claim. */
  default Takeover takeover() {
    Attempt dead = shortLease();
    store().claimed(dead);
    endShortLease();
    Attempt owner = dead.retried().withLease(Attempt.LONG_LEASE_MILLIS);
    store().claimed(owner);
    return new Takeover(dead, owner);
  }

  /** Checks that the owner still holds the claim and that it has no step of another attempt. */
  default void assertUntouched(Attempt owner) {
    assertThat(store().lookup(owner))
        .isInstanceOfSatisfying(
            KeyState.InProgress.class,
            state -> {
              assertThat(state.token()).isEqualTo(owner.token());
              assertThat(state.leaseLeftMillis()).isPositive();
            });
    Claimed claimed = store().claimed(owner);
    assertThat(claimed.attempt()).isEqualTo(2);
    assertThat(claimed.steps()).isEmpty();
  }

  @Test
  default void supersededOwnerCannotComplete() {
    Takeover takeover = takeover();

    assertThat(store().complete(takeover.dead(), StoreCalls.OTHER)).isInstanceOf(LostLease.class);

    assertUntouched(takeover.owner());
  }

  @Test
  default void supersededOwnerCannotRelease() {
    Takeover takeover = takeover();

    assertThat(store().release(takeover.dead())).isEqualTo(ReleaseResult.LOST_LEASE);

    assertUntouched(takeover.owner());
  }

  @Test
  default void supersededOwnerCannotRenew() {
    Takeover takeover = takeover();

    assertThat(store().renew(takeover.dead().withLease(1)))
        .containsExactly(takeover.dead().token());

    fixture().advanceMillis(2);
    assertUntouched(takeover.owner());
  }

  @Test
  default void supersededOwnerCannotRecordAStep() {
    Takeover takeover = takeover();

    assertThat(store().step(takeover.dead(), "late", "x")).isEqualTo(StepResult.LOST_LEASE);

    assertUntouched(takeover.owner());
  }

  @Test
  default void responseOfTheNewOwnerIsNotReplaced() {
    Takeover takeover = takeover();
    store().completed(takeover.owner());

    assertThat(store().complete(takeover.dead(), StoreCalls.OTHER)).isInstanceOf(LostLease.class);

    assertThat(store().lookup(takeover.owner()))
        .isInstanceOfSatisfying(
            KeyState.Completed.class,
            state -> {
              assertThat(state.response()).isEqualTo(StoreCalls.CREATED);
              assertThat(state.token()).isEqualTo(takeover.owner().token());
            });
  }

  @Test
  default void tokenThatNeverClaimedWritesNothing() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    Attempt stranger = owner.retried();

    assertThat(store().complete(stranger, StoreCalls.OTHER)).isInstanceOf(LostLease.class);
    assertThat(store().release(stranger)).isEqualTo(ReleaseResult.LOST_LEASE);
    assertThat(store().step(stranger, "s", "x")).isEqualTo(StepResult.LOST_LEASE);
    assertThat(store().renew(stranger, owner)).containsExactly(stranger.token());
    assertThat(store().claimed(owner).attempt()).isEqualTo(1);
  }

  @Test
  default void tokensThatDifferInOneHalfAreDifferent() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    long high = owner.token().high();
    long low = owner.token().low();

    for (Attempt near :
        new Attempt[] {
          owner.withToken(new Token(high ^ 1, low)), owner.withToken(new Token(high, low ^ 1))
        }) {
      assertThat(store().complete(near, StoreCalls.OTHER)).isInstanceOf(LostLease.class);
      assertThat(store().claim(near)).isInstanceOf(InFlight.class);
    }
  }

  @Test
  default void absentKeyAcceptsNoWrites() {
    Attempt nobody = Attempt.atNewKey();

    assertThat(store().complete(nobody, StoreCalls.CREATED)).isInstanceOf(LostLease.class);
    assertThat(store().release(nobody)).isEqualTo(ReleaseResult.LOST_LEASE);
    assertThat(store().renew(nobody)).containsExactly(nobody.token());
    assertThat(store().step(nobody, "s", "x")).isEqualTo(StepResult.LOST_LEASE);
    assertThat(store().lookup(nobody)).isInstanceOf(KeyState.Absent.class);
  }

  @Test
  default void ownerWritesAfterItsLeaseUnlessTakenOver() {
    Attempt owner = shortLease();
    store().claimed(owner);
    endShortLease();

    assertThat(store().step(owner, "charge", "ch_1")).isEqualTo(StepResult.RECORDED);
    assertThat(store().renew(owner.withLease(Attempt.LONG_LEASE_MILLIS))).isEmpty();
    assertThat(store().claim(owner.retried())).isInstanceOf(InFlight.class);
    store().completed(owner);
  }

  @Test
  default void ownerCompletesAfterItsLeaseWithoutRenewing() {
    Attempt owner = shortLease();
    store().claimed(owner);
    endShortLease();

    store().completed(owner);
  }

  @Test
  default void repeatedCompletionHasTheSameResult() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    long expiresAt = store().completed(owner).atEpochMillis();

    CompleteResult again = store().complete(owner, StoreCalls.CREATED);

    assertThat(((CompleteResult.Completed) again).expiry().atEpochMillis()).isEqualTo(expiresAt);
    assertThat(store().step(owner, "late", "x")).isEqualTo(StepResult.LOST_LEASE);
    assertThat(store().renew(owner)).containsExactly(owner.token());
  }

  @Test
  default void renewalReturnsExactlyTheLostClaims() {
    Takeover takeover = takeover();
    Attempt live = Attempt.atNewKey();
    Attempt done = Attempt.atNewKey();
    store().claimed(live);
    store().claimed(done);
    store().completed(done);

    assertThat(store().renew(takeover.dead(), live, done, takeover.owner()))
        .containsExactlyInAnyOrder(takeover.dead().token(), done.token());
    assertThat(store().renew()).isEmpty();
  }

  @Test
  default void renewedLeaseRunsFromTheRenewal() {
    needExactClock();
    Attempt owner = shortLease();
    store().claimed(owner);
    fixture().advanceMillis(fixture().shortLeaseMillis() - 1);
    store().renew(owner);
    fixture().advanceMillis(fixture().shortLeaseMillis() - 1);

    assertThat(store().claim(owner.retried())).isEqualTo(new InFlight(1));
  }

  @Test
  default void lostRecordIsClaimedAgainByItsTokenAndCompleted() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    assumeTrue(fixture().forget(owner.key()), "this store cannot be made to forget a record");

    assertThat(store().lookup(owner)).isInstanceOf(KeyState.Absent.class);
    assertThat(store().complete(owner, StoreCalls.CREATED)).isInstanceOf(LostLease.class);
    assertThat(store().claimed(owner).attempt()).isEqualTo(1);
    store().completed(owner);
  }
}
