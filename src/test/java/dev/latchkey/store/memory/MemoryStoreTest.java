package dev.latchkey.store.memory;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.NotificationLog;
import dev.latchkey.store.Race;
import dev.latchkey.store.StoreCalls;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Behaviour beyond the store contract: the bound in bytes, and how memory is freed. */
class MemoryStoreTest {

  private static final long LIMIT_BYTES = 1 << 20;
  private static final long LEASE_MILLIS = 1_000;

  private final AtomicLong now = new AtomicLong(1_700_000_000_000L);
  private final MemoryBudget budget = new MemoryBudget(LIMIT_BYTES);
  private final MemoryStore store = storeWith(EffectTarget.NONE);
  private final StoreCalls calls = new StoreCalls(store);

  private MemoryStore storeWith(EffectTarget target) {
    return MemoryStore.create(budget, target, () -> Instant.ofEpochMilli(now.get()));
  }

  private static Attempt shortAttempt() {
    return Attempt.atNewKey().withLease(LEASE_MILLIS).withRetention(LEASE_MILLIS);
  }

  private int purge(int limit) {
    return await(store.purgeExpired(limit)).purged();
  }

  @Test
  void purgeReturnsEveryByte() {
    for (int i = 0; i < 40; i++) {
      Attempt attempt = shortAttempt();
      calls.claimed(attempt);
      calls.step(attempt, "charge", "ch_" + i);
      calls.step(attempt, "charge", "twice");
      switch (i % 4) {
        case 0 -> calls.completed(attempt);
        case 1 -> calls.released(attempt);
        case 2 -> calls.renew(attempt.withLease(3 * LEASE_MILLIS));
        default -> calls.claim(attempt);
      }
      calls.complete(attempt, StoreCalls.CREATED);
    }
    assertThat(budget.usedBytes()).isPositive();
    now.addAndGet(5 * LEASE_MILLIS);

    assertThat(purge(100)).isEqualTo(40);

    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void keyUsedAgainAfterItsExpiryIsCountedOnceAndPurgedOnce() {
    Attempt first = shortAttempt();
    for (int i = 0; i < 10; i++) {
      assertThat(calls.claimed(first.otherRequest()).attempt()).isEqualTo(1);
      now.addAndGet(LEASE_MILLIS);
    }

    assertThat(purge(100)).isEqualTo(1);

    assertThat(budget.usedBytes()).isZero();
    assertThat(purge(100)).isZero();
  }

  @Test
  void budgetGrowsByWhatIsKept() {
    Attempt attempt = Attempt.atNewKey();
    calls.claimed(attempt);
    long claimed = budget.usedBytes();
    calls.step(attempt, "big", Buffer.buffer(new byte[10_000]));
    long stepped = budget.usedBytes();
    calls.complete(attempt, StoredResponse.of(200, List.of(), Buffer.buffer(new byte[20_000])));
    long completed = budget.usedBytes();

    assertThat(claimed).isBetween(300L, 2_000L);
    assertThat(stepped - claimed).isBetween(10_000L, 10_500L);
    // The completion drops the steps, which are not needed any more.
    assertThat(completed - claimed).isBetween(20_000L, 20_500L);
    calls.complete(attempt, StoreCalls.OTHER);
    calls.claim(attempt.retried());
    assertThat(budget.usedBytes()).isEqualTo(completed);
  }

  @Test
  void spentBudgetRejectsNewKeysAndFinishesStartedWork() {
    Attempt begun = Attempt.atNewKey();
    calls.claimed(begun);
    Attempt last = Attempt.atNewKey();
    int keys = 1;
    while (calls.claim(last) instanceof ClaimResult.Claimed) {
      keys++;
      last = Attempt.atNewKey();
    }
    assertThat(budget.isSpent()).isTrue();
    assertThat(keys).isBetween(500, 4_000);
    long used = budget.usedBytes();

    assertThat(calls.claim(Attempt.atNewKey())).isInstanceOf(ClaimResult.Full.class);
    assertThat(budget.usedBytes()).isEqualTo(used);
    assertThat(calls.lookup(last)).isInstanceOf(KeyState.Absent.class);
    calls.completed(begun);
    assertThat(calls.lookup(begun)).isInstanceOf(KeyState.Completed.class);
  }

  @Test
  void fullStorePurgesExpiredKeysToMakeRoom() {
    Attempt live = Attempt.atNewKey();
    calls.claimed(live);
    while (calls.claim(shortAttempt()) instanceof ClaimResult.Claimed) {
      assertThat(budget.usedBytes()).isLessThan(2 * LIMIT_BYTES);
    }
    now.addAndGet(LEASE_MILLIS);

    calls.claimed(Attempt.atNewKey());

    assertThat(calls.lookup(live)).isInstanceOf(KeyState.InProgress.class);
    assertThat(budget.isSpent()).isFalse();
  }

  @Test
  void expiredKeyIsRejectedLikeANewOneWithoutRoom() {
    Attempt old = shortAttempt();
    calls.claimed(old);
    now.addAndGet(LEASE_MILLIS);
    budget.add(2 * LIMIT_BYTES);

    assertThat(calls.claim(old.otherRequest())).isInstanceOf(ClaimResult.Full.class);

    budget.add(-2 * LIMIT_BYTES);
    assertThat(budget.usedBytes()).isZero();
    assertThat(calls.claimed(old.otherRequest()).attempt()).isEqualTo(1);
  }

  @Test
  void renewedKeyIsPurgedAfterItsLastLease() {
    Attempt attempt = shortAttempt();
    calls.claimed(attempt);
    calls.renew(attempt.withLease(3 * LEASE_MILLIS));
    now.addAndGet(2 * LEASE_MILLIS);
    assertThat(purge(10)).isZero();
    now.addAndGet(LEASE_MILLIS - 1);
    assertThat(purge(10)).isZero();
    now.addAndGet(1);

    assertThat(purge(10)).isEqualTo(1);
    assertThat(budget.usedBytes()).isZero();
  }

  /** Keys expire in another order than they were claimed in. */
  @Test
  void completedKeysArePurgedInTheOrderOfTheirExpiry() {
    List<Attempt> attempts = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Attempt attempt = Attempt.atNewKey().withLease(1).withRetention(1 + i * 101 % 300);
      attempts.add(attempt);
      calls.claimed(attempt);
      calls.completed(attempt);
    }
    for (int elapsed = 1; elapsed <= 300; elapsed++) {
      now.incrementAndGet();
      assertThat(purge(10)).as("purged after %d ms", elapsed).isEqualTo(1);
      for (int i = elapsed % 7; i < 300; i += 7) {
        boolean known = 1 + i * 101 % 300 > elapsed;
        assertThat(calls.lookup(attempts.get(i)) instanceof KeyState.Completed).isEqualTo(known);
      }
    }
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void completedKeyIsReplayedWithoutRoomAndFreeAfterExpiry() {
    Attempt old = Attempt.atNewKey().withLease(1).withRetention(LEASE_MILLIS);
    calls.claimed(old);
    calls.completed(old);
    budget.add(2 * LIMIT_BYTES);

    assertThat(calls.claim(old.retried())).isInstanceOf(ClaimResult.Completed.class);
    assertThat(calls.claim(old.otherRequest())).isInstanceOf(ClaimResult.Mismatch.class);

    now.addAndGet(LEASE_MILLIS);
    assertThat(calls.claim(old.otherRequest())).isInstanceOf(ClaimResult.Full.class);
    budget.add(-2 * LIMIT_BYTES);
    assertThat(calls.claimed(old.otherRequest()).attempt()).isEqualTo(1);
  }

  @Test
  void longestRetentionDoesNotOverflow() {
    Attempt attempt = Attempt.atNewKey().withRetention(Long.MAX_VALUE);

    assertThat(calls.claimed(attempt).expiry().inMillis()).isEqualTo(Expiry.MAX_DURATION_MILLIS);

    assertThat(calls.lookup(attempt)).isInstanceOf(KeyState.InProgress.class);
    assertThat(purge(10)).isZero();
  }

  @Test
  void futuresAreCompleteWhenReturned() {
    Attempt attempt = Attempt.atNewKey();

    assertThat(store.claim(attempt.request()).isComplete()).isTrue();
    assertThat(store.watch(attempt.key()).isComplete()).isTrue();
    assertThat(store.complete(attempt.claim(), StoreCalls.CREATED, List.of()).isComplete())
        .isTrue();
  }

  @Test
  void failingSubscriberAffectsNeitherTheCompletionNorTheOthers() {
    store.subscribe(
        notice -> {
          throw new IllegalStateException("broken subscriber");
        });
    Attempt attempt = Attempt.atNewKey();
    calls.claimed(attempt);
    calls.watch(attempt);
    try (NotificationLog log = new NotificationLog(store)) {
      calls.completed(attempt);

      assertThat(log.count(attempt.key())).isEqualTo(1);
    }
  }

  @Test
  void subscriberMayCallTheStore() {
    Attempt attempt = Attempt.atNewKey();
    Attempt next = Attempt.atNewKey();
    store.subscribe(notice -> calls.claimed(next));
    calls.claimed(attempt);
    calls.watch(attempt);

    calls.completed(attempt);

    assertThat(calls.lookup(next)).isInstanceOf(KeyState.InProgress.class);
  }

  @Test
  void failingEffectTargetIsUnknownAndKeepsTheClaim() {
    MemoryStore broken =
        storeWith(
            effects -> {
              throw new IllegalStateException("out of order");
            });
    StoreCalls brokenCalls = new StoreCalls(broken);
    Attempt attempt = Attempt.atNewKey();
    brokenCalls.claimed(attempt);
    Effect effect = () -> "any";

    assertThatThrownBy(() -> brokenCalls.complete(attempt, StoreCalls.CREATED, effect))
        .isInstanceOfSatisfying(
            StoreException.class,
            failure -> assertThat(failure.outcome()).isEqualTo(StoreException.Outcome.UNKNOWN));
    brokenCalls.completed(attempt);
  }

  @Test
  void storeWithoutEffectsNamesTheRefusedOne() {
    Attempt attempt = Attempt.atNewKey();
    calls.claimed(attempt);
    Effect effect = () -> "booking";

    assertThat(calls.complete(attempt, StoreCalls.CREATED, effect))
        .isInstanceOfSatisfying(
            EffectRefused.class, refused -> assertThat(refused.which()).isEqualTo("booking"));
  }

  /** Claims, endings and purges by many threads must leave no byte and no entry. */
  @Test
  void concurrentClaimsAndPurgesLeaveNothingBehind() {
    List<ScopedKey> keys =
        List.of(
            new ScopedKey("t", "POST /a", "1"),
            new ScopedKey("t", "POST /b", "1"),
            new ScopedKey("t", "POST /a", "2"));
    try (Race race = new Race(8)) {
      race.run(
          number -> {
            for (int i = 0; i < 5_000; i++) {
              Attempt attempt = Attempt.at(keys.get(i % 3)).withLease(5).withRetention(5 + number);
              switch (i % 4) {
                case 0 -> {
                  calls.claim(attempt);
                  calls.complete(attempt, StoreCalls.CREATED);
                }
                case 1 -> {
                  calls.claim(attempt);
                  calls.release(attempt);
                }
                case 2 -> purge(2);
                default -> now.incrementAndGet();
              }
            }
            return Optional.empty();
          });
    }
    now.addAndGet(1_000);

    assertThat(purge(100)).isLessThanOrEqualTo(keys.size());

    assertThat(budget.usedBytes()).isZero();
    for (ScopedKey key : keys) {
      calls.claimed(Attempt.at(key).withLease(5).withRetention(5));
    }
    now.addAndGet(5);
    assertThat(purge(100)).isEqualTo(keys.size());
    assertThat(budget.usedBytes()).isZero();
  }
}
