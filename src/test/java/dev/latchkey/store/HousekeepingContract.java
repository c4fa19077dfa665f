package dev.latchkey.store;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ScopedKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Purge, records, bounds, restarts. */
public interface HousekeepingContract extends StoreContract {

  /** Purges up to a number of records. */
  default int purge(int limit) {
    return await(fixture().store().purgeExpired(limit)).purged();
  }

  /** Lists the records of an attempt's key. */
  default List<KeyRecord> records(Attempt attempt, int limit) {
    ScopedKey key = attempt.key();
    return await(fixture().store().records(key.tenant(), key.key(), limit));
  }

  @Test
  default void purgeDeletesOnlyExpiredKeysUpToItsLimit() {
    assumeFalse(fixture().expiresByItself(), "this store's records leave by themselves");
    Attempt kept = Attempt.atNewKey();
    store().claimed(kept);
    Attempt lapsed = shortLease();
    store().claimed(lapsed);
    List<Attempt> expired = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Attempt attempt = shortAttempt();
      store().claimed(attempt);
      expired.add(attempt);
    }
    store().completed(expired.get(0));
    store().released(expired.get(1));
    endShortLease();

    assertThat(List.of(purge(2), purge(2), purge(2), purge(2))).containsExactly(2, 2, 1, 0);

    assertThat(store().lookup(kept)).isInstanceOf(KeyState.InProgress.class);
    assertThat(store().claimed(lapsed.retried()).takenOver()).isTrue();
    assertThat(expired)
        .allSatisfy(it -> assertThat(store().lookup(it)).isInstanceOf(KeyState.Absent.class));
  }

  @Test
  default void keyThatIsUsedAgainAfterItsExpiryIsNotPurged() {
    Attempt first = shortAttempt();
    store().claimed(first);
    endShortLease();
    Attempt second = first.otherRequest().withRetention(Attempt.LONG_RETENTION_MILLIS);
    store().claimed(second);

    assertThat(purge(100)).isZero();

    assertThat(store().lookup(second)).isInstanceOf(KeyState.InProgress.class);
    store().completed(second);
  }

  @Test
  default void lateCompletionIsNotPurged() {
    Attempt owner =
        shortClaim(claimed -> store().renewed(claimed.withLease(Attempt.LONG_LEASE_MILLIS)))
            .owner();
    endShortLease();
    store().completed(owner.withLease(Attempt.LONG_LEASE_MILLIS));

    assertThat(purge(100)).isZero();

    assertThat(store().lookup(owner)).isInstanceOf(KeyState.Completed.class);
  }

  @Test
  default void recordsOfAKeyAreListedOldestFirst() {
    String key = Attempt.atNewKey().key().key();
    Attempt completed = Attempt.at(new ScopedKey("tenant", "POST /z", key));
    long expiresAt = store().claimed(completed).expiry().atEpochMillis();
    store().completed(completed);
    fixture().advanceMillis(2);
    Attempt released = Attempt.at(new ScopedKey("tenant", "POST /y", key));
    store().claimed(released);
    store().released(released);
    fixture().advanceMillis(2);
    Attempt running = Attempt.at(new ScopedKey("tenant", "POST /x", key));
    store().claimed(running);
    store().claimed(Attempt.at(new ScopedKey("other", "POST /z", key)));

    List<KeyRecord> records = records(running, 10);

    assertThat(records)
        .extracting(KeyRecord::key)
        .containsExactly(completed.key(), released.key(), running.key());
    assertThat(records)
        .extracting(KeyRecord::phase)
        .containsExactly(Phase.COMPLETED, Phase.RELEASED, Phase.IN_PROGRESS);
    KeyRecord first = records.get(0);
    assertThat(first.status()).hasValue(201);
    assertThat(first.location()).contains("/v1/things/1");
    assertThat(first.expiresAtEpochMillis()).isEqualTo(expiresAt);
    assertThat(first.createdAtEpochMillis()).isEqualTo(expiresAt - Attempt.LONG_RETENTION_MILLIS);
    assertThat(records.get(1).status()).isEmpty();
    assertThat(records.get(1).location()).isEmpty();
    assertThat(records(running, 2)).isEqualTo(records.subList(0, 2));
  }

  @Test
  default void recordsCountTheClaims() {
    Attempt first = Attempt.atNewKey();
    assertThat(records(first, 10)).isEmpty();
    store().claimed(first);
    store().released(first);
    store().claimed(first.retried());

    assertThat(records(first, 10)).extracting(KeyRecord::attempt).containsExactly(2);
  }

  @Test
  default void fullStoreRefusesNewKeysAndKeepsItsRecords() {
    Attempt done = Attempt.atNewKey();
    store().claimed(done);
    store().completed(done);
    Attempt running = Attempt.atNewKey();
    store().claimed(running);
    Attempt released = Attempt.atNewKey();
    store().claimed(released);
    store().released(released);
    assumeTrue(fixture().fill(), "this store has no bound of its own");
    Attempt refused = Attempt.atNewKey();

    assertThat(store().claim(refused)).isInstanceOf(ClaimResult.Full.class);

    assertThat(store().lookup(refused)).isInstanceOf(KeyState.Absent.class);
    assertThat(store().claim(done.retried())).isInstanceOf(ClaimResult.Completed.class);
    assertThat(store().claim(running.retried())).isInstanceOf(ClaimResult.InFlight.class);
    store().step(running, "charge", "ch_1");
    store().completed(running);
    assertThat(store().claimed(released.retried()).attempt()).isEqualTo(2);
    assertThat(store().claim(refused)).isInstanceOf(ClaimResult.Full.class);
  }

  @Test
  default void acknowledgedWritesSurviveARestart() {
    Attempt done = Attempt.atNewKey();
    store().claimed(done);
    store().completed(done);
    Attempt running = Attempt.atNewKey();
    store().claimed(running);
    store().step(running, "charge", "ch_1");
    Attempt released = Attempt.atNewKey();
    store().claimed(released);
    store().released(released);
    assumeTrue(fixture().restart(), "this store keeps nothing beyond its process");

    assertThat(((ClaimResult.Completed) store().claim(done.retried())).response())
        .isEqualTo(StoreCalls.CREATED);
    assertThat(store().claimed(running).steps().get("charge")).hasToString("ch_1");
    store().completed(running);
    assertThat(store().claim(released)).isInstanceOf(ClaimResult.Withdrawn.class);
  }

  @Test
  default void probeOfAStoreInUseSucceeds() {
    await(fixture().store().probe());
  }
}
