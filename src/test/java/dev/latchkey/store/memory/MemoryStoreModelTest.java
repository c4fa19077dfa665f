package dev.latchkey.store.memory;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.Token;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The store against a plain map of objects, under a clock that goes forwards, stands still and goes
 * backwards.
 */
class MemoryStoreModelTest {

  private static final int STEPS = 400;

  /** The expected record of a key. */
  private static final class Model {
    Attempt owner;
    Phase phase = Phase.IN_PROGRESS;
    int attempts = 1;
    long expiresAt;
    long leaseEnds;

    long deadline() {
      return Math.max(expiresAt, leaseEnds);
    }
  }

  private final Map<ScopedKey, Model> model = new HashMap<>();
  private final List<Attempt> attempts = new ArrayList<>();
  private final MemoryBudget budget = new MemoryBudget(Long.MAX_VALUE);
  private long now;
  private StoreCalls calls;

  static LongStream seeds() {
    return LongStream.range(0, 100);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void behavesLikeAMapOfExpiringRecords(long seed) {
    model.clear();
    attempts.clear();
    now = 1_000_000;
    MemoryStore store =
        MemoryStore.create(budget, EffectTarget.NONE, () -> Instant.ofEpochMilli(now));
    calls = new StoreCalls(store);
    Random random = new Random(seed);
    for (int i = 0; i < STEPS; i++) {
      step(random);
      checkEveryKey();
    }
    now += 1_000_000;
    while (await(store.purgeExpired(7)).moreRemain()) {}
    assertThat(budget.usedBytes()).as("after all has expired").isZero();
  }

  private void step(Random random) {
    Attempt known =
        attempts.isEmpty() ? someAttempt(random) : attempts.get(random.nextInt(attempts.size()));
    switch (random.nextInt(10)) {
      case 0, 1 -> claim(someAttempt(random));
      case 2 -> claim(known.retried());
      case 3 -> claim(known);
      case 4, 5 -> complete(known);
      case 6 -> release(known);
      case 7 -> renew(known);
      case 8 -> now += random.nextInt(40) - 10;
      default -> purge(random.nextInt(4));
    }
  }

  private static Attempt someAttempt(Random random) {
    ScopedKey key =
        new ScopedKey(
            random.nextInt(4) == 0 ? "other" : "acme",
            "POST /" + random.nextInt(2),
            "k" + random.nextInt(8));
    int leaseMillis = 1 + random.nextInt(20);
    return Attempt.at(key).withLease(leaseMillis).withRetention(leaseMillis + random.nextInt(40));
  }

  private void claim(Attempt attempt) {
    attempts.add(attempt);
    Model there = live(attempt.key());
    ClaimResult result = calls.claim(attempt);
    if (there == null) {
      assertThat(((ClaimResult.Claimed) result).attempt()).isEqualTo(1);
      Model fresh = new Model();
      fresh.owner = attempt;
      fresh.expiresAt = now + attempt.request().retentionMillis();
      fresh.leaseEnds = now + attempt.claim().leaseMillis();
      model.put(attempt.key(), fresh);
    } else if (!there.owner.claim().fingerprint().equals(attempt.claim().fingerprint())) {
      assertThat(((ClaimResult.Mismatch) result).phase()).isEqualTo(there.phase);
    } else if (there.phase == Phase.COMPLETED) {
      assertThat(result).isInstanceOf(ClaimResult.Completed.class);
    } else if (isOwner(there, attempt)) {
      assertThat(result)
          .isInstanceOf(
              there.phase == Phase.RELEASED
                  ? ClaimResult.Withdrawn.class
                  : ClaimResult.Claimed.class);
    } else if (there.phase == Phase.IN_PROGRESS && now < there.leaseEnds) {
      assertThat(result).isEqualTo(new ClaimResult.InFlight(there.leaseEnds - now));
    } else {
      assertThat(((ClaimResult.Claimed) result).attempt()).isEqualTo(++there.attempts);
      there.owner = attempt;
      there.phase = Phase.IN_PROGRESS;
      there.leaseEnds = now + attempt.claim().leaseMillis();
    }
  }

  private void complete(Attempt attempt) {
    Model there = live(attempt.key());
    boolean owner = there != null && isOwner(there, attempt);
    CompleteResult result = calls.complete(attempt, StoreCalls.CREATED);
    if (!owner || there.phase == Phase.RELEASED) {
      assertThat(result).isInstanceOf(CompleteResult.LostLease.class);
      return;
    }
    if (there.phase == Phase.IN_PROGRESS) {
      there.phase = Phase.COMPLETED;
      there.leaseEnds = now;
      if (now >= there.expiresAt) {
        there.expiresAt = now + attempt.claim().leaseMillis();
      }
    }
    assertThat(((CompleteResult.Completed) result).expiry().atEpochMillis())
        .isEqualTo(there.expiresAt);
  }

  private void release(Attempt attempt) {
    Model there = live(attempt.key());
    boolean released = there != null && isOwner(there, attempt) && there.phase != Phase.COMPLETED;
    assertThat(calls.release(attempt) == ReleaseResult.RELEASED).isEqualTo(released);
    if (released && there.phase == Phase.IN_PROGRESS) {
      there.phase = Phase.RELEASED;
      there.leaseEnds = now;
    }
  }

  private void renew(Attempt attempt) {
    Model there = live(attempt.key());
    boolean held = there != null && isOwner(there, attempt) && there.phase == Phase.IN_PROGRESS;
    assertThat(calls.renew(attempt)).hasSize(held ? 0 : 1);
    if (held) {
      there.leaseEnds = now + attempt.claim().leaseMillis();
    }
  }

  /** Purged keys have expired and stay absent, even if the clock goes back. */
  private void purge(int limit) {
    int expired = (int) model.values().stream().filter(it -> it.deadline() <= now).count();
    int purged = await(calls.store().purgeExpired(limit)).purged();
    assertThat(purged).isBetween(0, Math.min(limit, expired));
    if (expired > 0) {
      // Which keys were purged is visible only if the clock goes back. So purge all, on both sides.
      while (await(calls.store().purgeExpired(5)).moreRemain()) {}
      model.keySet().removeIf(key -> isGone(key));
    }
  }

  private boolean isGone(ScopedKey key) {
    long asked = now;
    boolean expired = model.get(key).deadline() <= now;
    now = 0;
    boolean gone = await(calls.store().lookup(key)) instanceof KeyState.Absent;
    now = asked;
    assertThat(gone && !expired).as("purged before its time: %s", key).isFalse();
    return gone;
  }

  private void checkEveryKey() {
    model.forEach(
        (key, it) -> {
          KeyState state = await(calls.store().lookup(key));
          if (it.deadline() <= now) {
            assertThat(state).isInstanceOf(KeyState.Absent.class);
          } else {
            assertThat(token(state)).isEqualTo(it.owner.token());
            assertThat(phase(state)).isEqualTo(it.phase);
          }
        });
  }

  private Model live(ScopedKey key) {
    Model there = model.get(key);
    return there == null || there.deadline() <= now ? null : there;
  }

  private static boolean isOwner(Model there, Attempt attempt) {
    return there.owner.token().equals(attempt.token());
  }

  private static Token token(KeyState state) {
    if (state instanceof KeyState.InProgress held) {
      return held.token();
    }
    return state instanceof KeyState.Completed done
        ? done.token()
        : ((KeyState.Released) state).token();
  }

  private static Phase phase(KeyState state) {
    if (state instanceof KeyState.InProgress) {
      return Phase.IN_PROGRESS;
    }
    return state instanceof KeyState.Completed ? Phase.COMPLETED : Phase.RELEASED;
  }
}
