package dev.latchkey.store.hybrid;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.ClaimResult.Mismatch;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.LostLease;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.PurgeResult;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.NotificationLog;
import dev.latchkey.store.Race;
import dev.latchkey.store.Receipts;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.postgres.PostgresNodes;
import dev.latchkey.store.postgres.PostgresReceipts;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.RealServers;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A claim store that forgets, and receipts that do not. */
class HybridStoreTest {

  private static final long LEASE_MILLIS = 1_000;

  private static PostgresNodes nodes;
  private static PostgresReceipts receipts;

  private final AtomicLong now = new AtomicLong(1_600_000_000_000L);
  private final ForgetfulClaims claims =
      ForgetfulClaims.create(() -> Instant.ofEpochMilli(now.get()));
  private final HybridStore hybrid = over(receipts, ClaimRegistry.MAX_CLAIMS);
  private final StoreCalls store = new StoreCalls(hybrid);
  private final Attempt owner = Attempt.atNewKey();
  private final String mark = owner.key().key();

  @BeforeAll
  static void openNodes() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    nodes.holdClock();
    receipts = nodes.openReceipts();
  }

  @AfterAll
  static void closeNodes() {
    nodes.close();
  }

  @BeforeEach
  void empty() {
    nodes.database.value("TRUNCATE latchkey_receipt");
  }

  private HybridStore over(Receipts kept, int maxClaims) {
    return HybridStore.create(
        claims, kept, () -> TimeUnit.MILLISECONDS.toNanos(now.get()), maxClaims);
  }

  private void advanceMillis(long millis) {
    now.addAndGet(millis);
    nodes.advanceMillis(millis);
  }

  private Mismatch mismatch(Attempt other) {
    ClaimResult result = store.claim(other);
    assertThat(result).isInstanceOf(Mismatch.class);
    return (Mismatch) result;
  }

  @Test
  void responseOutlivesAForgottenClaim() {
    store.claimed(owner);
    Expiry expiry = store.completed(owner, nodes.effects.counts(mark));
    claims.forget();

    assertThat(store.claim(owner.retried()))
        .isEqualTo(new ClaimResult.Completed(StoreCalls.CREATED, expiry));
    assertThat(mismatch(owner.otherRequest()))
        .isEqualTo(new Mismatch(Phase.COMPLETED, owner.claim().fingerprint(), Optional.of(expiry)));
    assertThat(((KeyState.Completed) store.lookup(owner)).token()).isEqualTo(owner.token());
    assertThat(nodes.effects.counted(mark)).isEqualTo(1);
  }

  @Test
  void keyExpiresAsToldAlsoAfterTheClaimStoreForgotIt() {
    store.claimed(owner);
    Expiry expiry = store.completed(owner);
    advanceMillis(60_000);
    claims.forget();
    store.claim(owner.retried());
    mismatch(owner.otherRequest());
    advanceMillis(expiry.inMillis() - 60_000);

    assertThat(store.lookup(owner)).isInstanceOf(KeyState.Absent.class);
    Attempt other = owner.otherRequest();
    assertThat(store.claimed(other).attempt()).isEqualTo(1);
    store.completed(other);
    assertThat(((KeyState.Completed) store.lookup(other)).fingerprint())
        .isEqualTo(other.claim().fingerprint());
  }

  @Test
  void ownerCompletesAlthoughItsClaimWasForgotten() {
    store.claimed(owner);
    claims.forget();

    store.completed(owner, nodes.effects.counts(mark));

    assertThat(store.claim(owner.retried())).isInstanceOf(ClaimResult.Completed.class);
    assertThat(nodes.effects.counted(mark)).isEqualTo(1);
  }

  @Test
  void firstOfTwoCommitsOnAForgottenKeyWins() {
    store.claimed(owner);
    claims.forget();
    Attempt other = owner.otherRequest();
    store.claimed(other);
    store.completed(other, nodes.effects.counts(mark));

    assertThat(store.complete(owner, StoreCalls.OTHER, nodes.effects.counts(mark)))
        .isInstanceOf(LostLease.class);

    assertThat(nodes.effects.counted(mark)).isEqualTo(1);
    assertThat(((KeyState.Completed) store.lookup(owner)).fingerprint())
        .isEqualTo(other.claim().fingerprint());
    assertThat(mismatch(owner.retried()).firstUse()).isEqualTo(other.claim().fingerprint());
  }

  @Test
  void claimOfTheSupersededOwnerDoesNotOutliveTheReceipt() {
    store.claimed(owner);
    claims.forget();
    advanceMillis(60_000);
    Attempt other = owner.otherRequest();
    store.claimed(other);
    Expiry expiry = store.completed(owner);
    assertThat(store.complete(other, StoreCalls.OTHER)).isInstanceOf(LostLease.class);
    advanceMillis(expiry.inMillis());

    assertThat(store.claimed(owner.retried()).attempt()).isEqualTo(1);
  }

  @Test
  void claimWithALostResultDoesNotOutliveTheReceipt() {
    store.claimed(owner);
    Expiry expiry = store.completed(owner);
    advanceMillis(60_000);
    claims.forget();
    claims.mute(true);
    assertThat(store.claim(owner.retried())).isInstanceOf(ClaimResult.Completed.class);
    claims.mute(false);
    advanceMillis(expiry.inMillis() - 60_000);

    assertThat(store.claimed(owner.otherRequest()).attempt()).isEqualTo(1);
  }

  @Test
  void replayFromTheReceiptDoesNotWaitForASilentClaimStore() {
    store.claimed(owner);
    Expiry expiry = store.completed(owner);
    advanceMillis(60_000);
    claims.forget();
    claims.silent(true);
    assertThat(store.claim(owner.retried())).isInstanceOf(ClaimResult.Completed.class);
    mismatch(owner.otherRequest());

    // A claim that is granted later is revoked as well.
    claims.silent(false);
    advanceMillis(expiry.inMillis() - 60_000);

    assertThat(store.claimed(owner.otherRequest()).attempt()).isEqualTo(1);
  }

  @Test
  void leaseCountsFromTheFirstRequestOfAClaimWithALostResult() {
    Attempt slow = owner.withLease(LEASE_MILLIS);
    claims.mute(true);
    assertThatThrownBy(() -> store.claim(slow)).isInstanceOf(StoreException.class);
    claims.mute(false);
    advanceMillis(LEASE_MILLIS / 2);
    store.claimed(slow);
    advanceMillis(LEASE_MILLIS / 2);
    Attempt next = slow.retried().withMode(Mode.TAKEOVER);
    assertThat(store.claimed(next).attempt()).isEqualTo(2);

    assertThat(store.complete(slow, StoreCalls.OTHER)).isInstanceOf(LostLease.class);

    store.completed(next);
  }

  @Test
  void twoOwnersOfOneRequestHaveOneEffectAndOneResponse() {
    try (Race race = new Race(2)) {
      for (int round = 0; round < 100; round++) {
        Attempt first = Attempt.atNewKey();
        Attempt second = first.retried();
        String counter = first.key().key();
        store.claimed(first);
        claims.forget();
        store.claimed(second);

        List<CompleteResult> results =
            race.run(
                number ->
                    number == 0
                        ? store.complete(first, StoreCalls.CREATED, nodes.effects.counts(counter))
                        : store.complete(second, StoreCalls.OTHER, nodes.effects.counts(counter)));

        assertThat(results).filteredOn(CompleteResult.Completed.class::isInstance).hasSize(1);
        assertThat(results).filteredOn(LostLease.class::isInstance).hasSize(1);
        boolean firstWon = results.get(0) instanceof CompleteResult.Completed;
        assertThat(((ClaimResult.Completed) store.claim(first.retried())).response())
            .isEqualTo(firstWon ? StoreCalls.CREATED : StoreCalls.OTHER);
        assertThat(nodes.effects.counted(counter)).isEqualTo(1);
      }
    }
  }

  @Test
  void completionUnknownToTheClaimStoreIsReplayed() {
    Attempt slow = owner.withLease(LEASE_MILLIS);
    store.claimed(slow);
    claims.deaf(true);
    store.completed(slow);

    assertThat(store.watch(slow)).isInstanceOf(KeyState.Completed.class);
    assertThat(store.claim(slow.retried())).isInstanceOf(ClaimResult.Completed.class);
    advanceMillis(LEASE_MILLIS);
    assertThat(store.claim(slow.retried())).isInstanceOf(ClaimResult.Completed.class);
    assertThat(mismatch(slow.otherRequest()).phase()).isEqualTo(Phase.COMPLETED);
  }

  @Test
  void repeatedCompletionUpdatesTheClaimStore() {
    store.claimed(owner);
    try (NotificationLog log = new NotificationLog(hybrid)) {
      assertThat(store.watch(owner)).isInstanceOf(KeyState.InProgress.class);
      claims.deaf(true);
      store.completed(owner, nodes.effects.counts(mark));
      claims.deaf(false);

      store.completed(owner, nodes.effects.counts(mark));

      assertThat(log.awaitSettled(owner.key())).isTrue();
    }
    assertThat(await(claims.lookup(owner.key()))).isInstanceOf(KeyState.Completed.class);
    assertThat(nodes.effects.counted(mark)).isEqualTo(1);
  }

  @Test
  void nothingExecutesWhileTheLedgerIsUnavailable() {
    Database nowhere = new Database("127.0.0.1", 1, "none", "none", "none");
    PostgresReceipts away = nodes.openReceipts(PostgresNodes.patient(), nowhere);
    StoreCalls without = new StoreCalls(over(away, ClaimRegistry.MAX_CLAIMS));

    assertThatThrownBy(() -> without.claim(owner))
        .isInstanceOfSatisfying(
            StoreException.class, it -> assertThat(it.outcome()).isEqualTo(Outcome.UNKNOWN));
    assertThatThrownBy(() -> without.claim(owner.retried()))
        .isInstanceOfSatisfying(
            StoreException.class, it -> assertThat(it.outcome()).isEqualTo(Outcome.NOT_DONE));

    assertThat(store.claimed(owner).attempt()).isEqualTo(1);
    store.completed(owner);
    assertThat(without.claim(owner.retried())).isInstanceOf(ClaimResult.Completed.class);
  }

  @Test
  void withoutTheClaimStoreOnlyRunningAttemptsComplete() {
    Attempt slow = owner.withLease(LEASE_MILLIS);
    store.claimed(slow);
    claims.away(true);
    advanceMillis(LEASE_MILLIS);
    assertThatThrownBy(() -> store.claim(Attempt.atNewKey())).isInstanceOf(StoreException.class);

    store.completed(slow);
    store.completed(slow);

    assertThat(store.claim(slow.retried())).isInstanceOf(ClaimResult.Completed.class);
    assertThat(store.lookup(slow)).isInstanceOf(KeyState.Completed.class);
    assertThatThrownBy(() -> store.complete(Attempt.atNewKey(), StoreCalls.CREATED))
        .isInstanceOf(StoreException.class);
  }

  @Test
  void waitersOfARevokedClaimAreNotified() {
    store.claimed(owner);
    claims.forget();
    Attempt second = owner.retried();
    store.claimed(second);
    try (NotificationLog log = new NotificationLog(hybrid)) {
      assertThat(store.watch(second)).isInstanceOf(KeyState.InProgress.class);
      store.completed(owner);

      assertThat(store.complete(second, StoreCalls.OTHER)).isInstanceOf(LostLease.class);

      assertThat(log.awaitSettled(owner.key())).isTrue();
    }
  }

  @Test
  void claimsBeyondTheBoundAreRejectedAndReleased() {
    StoreCalls narrow = new StoreCalls(over(receipts, 1));
    narrow.claimed(owner);
    Attempt refused = Attempt.atNewKey();

    assertThat(narrow.claim(refused)).isInstanceOf(ClaimResult.Full.class);

    assertThat(narrow.claimed(owner).attempt()).isEqualTo(1);
    narrow.completed(owner);
    Claimed claimed = narrow.claimed(refused.retried());
    assertThat(claimed.attempt()).isEqualTo(2);
  }

  @Test
  void abandonedClaimsMakeRoomAfterAnHour() {
    StoreCalls narrow = new StoreCalls(over(receipts, 1));
    narrow.claimed(owner.withLease(LEASE_MILLIS));
    advanceMillis(LEASE_MILLIS + TimeUnit.HOURS.toMillis(1));

    narrow.claimed(Attempt.atNewKey());

    narrow.completed(owner.withLease(LEASE_MILLIS));
  }

  @Test
  void purgeRemovesExpiredReceiptsAndClaims() {
    Attempt done = owner.withLease(LEASE_MILLIS).withRetention(LEASE_MILLIS);
    store.claimed(done);
    store.completed(done);
    Attempt kept = Attempt.atNewKey();
    store.claimed(kept);
    store.completed(kept);
    advanceMillis(LEASE_MILLIS);

    assertThat(await(hybrid.purgeExpired(1))).isEqualTo(new PurgeResult(1, true));
    assertThat(await(hybrid.purgeExpired(10))).isEqualTo(new PurgeResult(1, false));
    assertThat(await(hybrid.purgeExpired(10))).isEqualTo(PurgeResult.NONE);

    assertThat(nodes.database.value("SELECT count(*) FROM latchkey_receipt")).isEqualTo("1");
    assertThat(store.claim(kept.retried())).isInstanceOf(ClaimResult.Completed.class);
  }
}
