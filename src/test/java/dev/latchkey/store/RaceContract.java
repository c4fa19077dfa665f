package dev.latchkey.store;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.ClaimResult.InFlight;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.LostLease;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.PurgeResult;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Of any number of contenders exactly one wins. Half of them come over another node. */
public interface RaceContract extends StoreContract {

  /** Number of contenders. */
  int CONTENDERS = 64;

  /** Number of rounds. */
  int ROUNDS = 20;

  /** The node of a contender. */
  default StoreCalls node(int number) {
    return new StoreCalls(number % 2 == 0 ? fixture().store() : fixture().otherNode());
  }

  private static long count(Collection<?> results, Class<?> type) {
    return results.stream().filter(type::isInstance).count();
  }

  private static void assertOneWinner(Collection<ClaimResult> results, int attempt) {
    assertThat(count(results, Claimed.class)).isEqualTo(1);
    assertThat(count(results, InFlight.class)).isEqualTo(results.size() - 1);
    assertThat(results)
        .filteredOn(Claimed.class::isInstance)
        .allSatisfy(it -> assertThat(((Claimed) it).attempt()).isEqualTo(attempt));
  }

  @Test
  default void oneOfManyClaimsAnAbsentKey() {
    try (Race race = new Race(CONTENDERS)) {
      for (int round = 0; round < ROUNDS; round++) {
        Attempt first = Attempt.atNewKey();
        assertOneWinner(race.run(number -> node(number).claim(first.retried())), 1);
      }
    }
  }

  @Test
  default void oneOfManyTakesOverAnExpiredLease() {
    List<Attempt> dead = IntStream.range(0, ROUNDS).mapToObj(i -> shortLease()).toList();
    dead.forEach(attempt -> store().claimed(attempt));
    endShortLease();
    try (Race race = new Race(CONTENDERS)) {
      for (Attempt lapsed : dead) {
        Attempt next = lapsed.withLease(Attempt.LONG_LEASE_MILLIS);
        List<ClaimResult> results =
            race.run(
                number ->
                    node(number)
                        .claim(
                            next.retried()
                                .withMode(number % 3 == 0 ? Mode.TAKEOVER : Mode.ARRIVAL)));
        assertOneWinner(results, 2);
      }
    }
  }

  @Test
  default void oneOfManyClaimsAReleasedKey() {
    try (Race race = new Race(CONTENDERS)) {
      for (int round = 0; round < ROUNDS; round++) {
        Attempt first = Attempt.atNewKey();
        store().claimed(first);
        store().released(first);
        assertOneWinner(race.run(number -> node(number).claim(first.retried())), 2);
      }
    }
  }

  @Test
  default void oneOfManyClaimsAnExpiredKey() {
    List<Attempt> old = IntStream.range(0, ROUNDS).mapToObj(i -> shortAttempt()).toList();
    old.forEach(attempt -> store().claimed(attempt));
    endShortLease();
    try (Race race = new Race(CONTENDERS)) {
      for (Attempt expired : old) {
        Attempt next =
            expired
                .otherRequest()
                .withLease(Attempt.LONG_LEASE_MILLIS)
                .withRetention(Attempt.LONG_RETENTION_MILLIS);
        List<ClaimResult> results =
            race.run(
                number -> {
                  Future<PurgeResult> purge =
                      number % 16 == 0
                          ? fixture().store().purgeExpired(1)
                          : Future.succeededFuture(PurgeResult.NONE);
                  ClaimResult result = node(number).claim(next.retried());
                  // A late purge would delete records that another test counts.
                  await(purge);
                  return result;
                });
        assertOneWinner(results, 1);
      }
    }
  }

  @Test
  default void copiesOfOneClaimAreOneAttempt() {
    try (Race race = new Race(CONTENDERS)) {
      for (int round = 0; round < ROUNDS; round++) {
        Attempt owner = Attempt.atNewKey();
        assertThat(race.run(number -> node(number).claim(owner)))
            .allSatisfy(
                result ->
                    assertThat(result)
                        .isInstanceOfSatisfying(
                            Claimed.class, it -> assertThat(it.attempt()).isEqualTo(1)));
      }
    }
  }

  @Test
  default void completionAndTakeoverNeverBothWin() {
    List<Attempt> slow = IntStream.range(0, ROUNDS).mapToObj(i -> shortLease()).toList();
    slow.forEach(attempt -> store().claimed(attempt));
    endShortLease();
    try (Race race = new Race(8)) {
      for (Attempt owner : slow) {
        Attempt next = owner.withLease(Attempt.LONG_LEASE_MILLIS);
        List<Object> results =
            race.run(
                number ->
                    number == 0
                        ? store().complete(owner, StoreCalls.CREATED)
                        : node(number).claim(next.retried()));
        long winners =
            count(results, CompleteResult.Completed.class) + count(results, Claimed.class);
        assertThat(winners).as("%s", results).isEqualTo(1);
        assertThat(count(results, Claimed.class)).isEqualTo(count(results, LostLease.class));
      }
    }
  }

  @Test
  default void renewalSucceedsDuringOtherChangesOfTheKey() {
    try (Race race = new Race(8)) {
      for (int round = 0; round < ROUNDS; round++) {
        Attempt owner = shortLease();
        Attempt renewed = owner.withLease(Attempt.LONG_LEASE_MILLIS);
        store().claimed(owner);

        List<Object> results =
            race.run(
                number ->
                    switch (number % 4) {
                      case 0 -> number == 0 ? store().renew(renewed) : store().lookup(owner);
                      case 1 -> node(number).watch(owner);
                      default -> store().step(owner, "step " + number, "x");
                    });

        assertThat(results.get(0)).isEqualTo(Set.of());
        assertThat(store().lookup(owner))
            .isInstanceOfSatisfying(
                KeyState.InProgress.class,
                it -> assertThat(it.leaseLeftMillis()).isGreaterThan(fixture().shortLeaseMillis()));
      }
    }
  }

  @Test
  default void copiesOfOneCompletionWriteItsEffectsOnce() {
    EffectProbe effects = effects();
    try (Race race = new Race(16)) {
      for (int round = 0; round < ROUNDS; round++) {
        Attempt owner = Attempt.atNewKey();
        String mark = owner.key().key();
        store().claimed(owner);
        List<CompleteResult> results =
            race.run(
                number -> node(number).complete(owner, StoreCalls.CREATED, effects.counts(mark)));
        assertThat(results)
            .allSatisfy(it -> assertThat(it).isInstanceOf(CompleteResult.Completed.class));
        assertThat(effects.counted(mark)).isEqualTo(1);
      }
    }
  }

  @Test
  default void copiesOfAClaimNeverReviveItAfterItsRelease() {
    try (Race race = new Race(8)) {
      for (int round = 0; round < ROUNDS; round++) {
        Attempt owner = Attempt.atNewKey();
        store().claimed(owner);
        race.run(number -> number == 0 ? store().release(owner) : node(number).claim(owner));
        assertThat(store().claim(owner)).isInstanceOf(ClaimResult.Withdrawn.class);
      }
    }
  }
}
