package dev.latchkey.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.ClaimResult.InFlight;
import dev.latchkey.core.spi.ScopedKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who gets a key, and what the others are told. */
public interface ClaimContract extends StoreContract {

  @ParameterizedTest
  @EnumSource
  default void absentKeyIsClaimedInEveryMode(Mode mode) {
    Claimed claimed = store().claimed(Attempt.atNewKey().withMode(mode));

    assertThat(claimed.attempt()).isEqualTo(1);
    assertThat(claimed.steps()).isEmpty();
    assertThat(claimed.takenOver()).isFalse();
    assertThat(claimed.expiry().inMillis()).isBetween(1L, Attempt.LONG_RETENTION_MILLIS);
  }

  @Test
  default void repeatedClaimIsTheSameAttempt() {
    Attempt attempt = Attempt.atNewKey();
    Claimed first = store().claimed(attempt);

    Claimed again = store().claimed(attempt);

    assertThat(again.attempt()).isEqualTo(1);
    assertThat(again.takenOver()).isFalse();
    assertThat(again.expiry().atEpochMillis()).isEqualTo(first.expiry().atEpochMillis());
  }

  @Test
  default void repeatedClaimDoesNotRenewTheLease() {
    needExactClock();
    Attempt attempt = shortLease();
    store().claimed(attempt);
    fixture().advanceMillis(300);
    store().claimed(attempt);

    assertThat(store().claim(attempt.retried()))
        .isEqualTo(new InFlight(fixture().shortLeaseMillis() - 300));
  }

  @Test
  default void repeatedClaimAfterItsLeaseIsGrantedUnlessTakenOver() {
    Attempt attempt = shortLease();
    store().claimed(attempt);
    endShortLease();

    assertThat(store().claimed(attempt).attempt()).isEqualTo(1);
    assertThat(store().claimed(attempt.retried()).attempt()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  default void liveClaimIsInFlightForOthersInEveryMode(Mode mode) {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);

    ClaimResult result = store().claim(owner.retried().withMode(mode));

    assertThat(result).isInstanceOf(InFlight.class);
    assertThat(((InFlight) result).leaseLeftMillis()).isBetween(1L, Attempt.LONG_LEASE_MILLIS);
  }

  @ParameterizedTest
  @EnumSource
  default void completedKeyReturnsItsResponseInEveryMode(Mode mode) {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    long expiresAt = store().completed(owner).atEpochMillis();

    for (Attempt attempt : new Attempt[] {owner.withMode(mode), owner.retried().withMode(mode)}) {
      ClaimResult result = store().claim(attempt);
      assertThat(result).isInstanceOf(ClaimResult.Completed.class);
      ClaimResult.Completed completed = (ClaimResult.Completed) result;
      assertThat(completed.response()).isEqualTo(StoreCalls.CREATED);
      assertThat(completed.expiry().atEpochMillis()).isEqualTo(expiresAt);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"ARRIVAL", "TAKEOVER"})
  default void keyWithExpiredLeaseIsTakenOver(Mode mode) {
    Attempt dead = shortLease();
    store().claimed(dead);
    store().step(dead, "charge", "ch_1");
    endShortLease();
    Attempt next = dead.retried().withMode(mode).withLease(Attempt.LONG_LEASE_MILLIS);

    Claimed claimed = store().claimed(next);

    assertThat(claimed.attempt()).isEqualTo(2);
    assertThat(claimed.takenOver()).isTrue();
    assertThat(claimed.steps().get("charge")).hasToString("ch_1");
    Claimed again = store().claimed(next);
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(again.takenOver()).isTrue();
    assertThat(store().claim(dead)).isInstanceOf(InFlight.class);
  }

  @Test
  default void keyWithExpiredLeaseIsNotTakenOverWhereForbidden() {
    Attempt dead = shortLease();
    store().claimed(dead);
    endShortLease();

    assertThat(store().claim(dead.retried().withMode(Mode.NO_TAKEOVER)))
        .isInstanceOf(ClaimResult.Lapsed.class);

    store().completed(dead);
  }

  @Test
  default void leaseEndsOnTheMillisecond() {
    needExactClock();
    Attempt owner = shortLease();
    store().claimed(owner);
    fixture().advanceMillis(fixture().shortLeaseMillis() - 1);
    Attempt next = owner.retried();
    assertThat(store().claim(next)).isEqualTo(new InFlight(1));

    fixture().advanceMillis(1);

    assertThat(store().claimed(next).takenOver()).isTrue();
  }

  @Test
  default void sameKeyOfAnotherTenantOrRouteIsAnotherKey() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    ScopedKey key = owner.key();
    Attempt otherTenant = Attempt.at(new ScopedKey("other", key.route(), key.key()));
    Attempt otherRoute = Attempt.at(new ScopedKey(key.tenant(), "POST /v1/others", key.key()));

    assertThat(store().claimed(otherTenant).attempt()).isEqualTo(1);
    assertThat(store().claimed(otherRoute).attempt()).isEqualTo(1);

    store().completed(otherRoute);
    assertThat(store().claim(owner.retried())).isInstanceOf(InFlight.class);
    assertThat(store().claim(otherTenant.retried())).isInstanceOf(InFlight.class);
  }

  @Test
  default void partsOfAKeyAreNeverConfused() {
    Attempt one = Attempt.at(new ScopedKey("a", "b:c", Attempt.newToken() + ":d"));
    ScopedKey key = one.key();
    store().claimed(one);

    Attempt shifted = Attempt.at(new ScopedKey("a:b", "c", key.key()));
    assertThat(store().claimed(shifted).attempt()).isEqualTo(1);
    assertThat(store().lookup(Attempt.at(new ScopedKey("a", "b", "c:" + key.key()))))
        .hasToString("Absent[]");
  }
}
