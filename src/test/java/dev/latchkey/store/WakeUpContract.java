package dev.latchkey.store;

import static dev.latchkey.store.NotificationLog.undisturbed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.KeyState;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who watches is told, who does not is left alone, and no wake-up is lost between the two. */
public interface WakeUpContract extends StoreContract {

  @Test
  default void watcherIsNotifiedOfACompletion() {
    undisturbed(
        fixture().otherNode(),
        log -> {
          Attempt owner = Attempt.atNewKey();
          store().claimed(owner);
          StoreCalls other = new StoreCalls(fixture().otherNode());
          assertThat(other.watch(owner)).isInstanceOf(KeyState.InProgress.class);
          assertThat(log.count(owner.key())).isZero();

          store().completed(owner);

          assertThat(log.awaitSettled(owner.key())).isTrue();
          assertThat(((KeyState.Completed) other.lookup(owner)).response())
              .isEqualTo(StoreCalls.CREATED);
        });
  }

  @Test
  default void watcherIsNotifiedOfARelease() {
    undisturbed(
        fixture().otherNode(),
        log -> {
          Attempt owner = Attempt.atNewKey();
          store().claimed(owner);
          new StoreCalls(fixture().otherNode()).watch(owner);

          store().released(owner);

          assertThat(log.awaitSettled(owner.key())).isTrue();
        });
  }

  @Test
  default void everySubscriberIsNotified() {
    undisturbed(
        () -> {
          Attempt owner = Attempt.atNewKey();
          store().claimed(owner);
          try (NotificationLog one = new NotificationLog(fixture().store());
              NotificationLog two = new NotificationLog(fixture().otherNode());
              NotificationLog three = new NotificationLog(fixture().otherNode())) {
            new StoreCalls(fixture().otherNode()).watch(owner);

            store().completed(owner);

            for (NotificationLog log : List.of(one, two, three)) {
              assertThat(log.awaitSettled(owner.key())).isTrue();
            }
          }
        });
  }

  @Test
  default void interestSurvivesATakeover() {
    undisturbed(
        fixture().otherNode(),
        log -> {
          Attempt dead = shortLease();
          store().claimed(dead);
          new StoreCalls(fixture().otherNode()).watch(dead);
          endShortLease();
          Attempt owner = dead.retried().withLease(Attempt.LONG_LEASE_MILLIS);
          store().claimed(owner);
          assertThat(log.count(dead.key())).isZero();

          store().completed(owner);

          assertThat(log.awaitSettled(dead.key())).isTrue();
        });
  }

  @Test
  default void watchReturnsTheState() {
    Attempt owner = Attempt.atNewKey();
    assertThat(store().watch(owner)).isInstanceOf(KeyState.Absent.class);
    store().claimed(owner);
    assertThat(store().watch(owner))
        .isInstanceOfSatisfying(
            KeyState.InProgress.class,
            state -> {
              assertThat(state.fingerprint()).isEqualTo(owner.claim().fingerprint());
              assertThat(state.fingerprint().memberSketch())
                  .isEqualTo(owner.claim().fingerprint().memberSketch());
              assertThat(state.token()).isEqualTo(owner.token());
              assertThat(state.leaseLeftMillis()).isBetween(1L, Attempt.LONG_LEASE_MILLIS);
            });
    store().released(owner);
    assertThat(store().watch(owner)).isInstanceOf(KeyState.Released.class);
    Attempt second = owner.retried();
    store().claimed(second);
    store().completed(second);
    assertThat(store().watch(owner)).isInstanceOf(KeyState.Completed.class);
  }

  @Test
  default void keyWithoutWatcherIsNotNotified() {
    undisturbed(
        fixture().otherNode(),
        log -> {
          List<Attempt> unwatched = Stream.generate(Attempt::atNewKey).limit(100).toList();
          for (int i = 0; i < unwatched.size(); i++) {
            Attempt attempt = unwatched.get(i);
            store().claimed(attempt);
            store().lookup(attempt);
            if (i % 2 == 0) {
              store().completed(attempt);
            } else {
              store().released(attempt);
            }
          }
          // The watched key is last: notifications of the others would have arrived before its own.
          Attempt last = Attempt.atNewKey();
          store().claimed(last);
          store().watch(last);
          store().completed(last);

          assertThat(log.awaitSettled(last.key())).isTrue();
          assertThat(unwatched).allSatisfy(it -> assertThat(log.count(it.key())).isZero());
        });
  }

  @Test
  default void interestEndsWithTheRelease() {
    undisturbed(
        fixture().otherNode(),
        log -> {
          Attempt first = Attempt.atNewKey();
          store().claimed(first);
          store().watch(first);
          store().released(first);
          assertThat(log.awaitSettled(first.key())).isTrue();
          int heard = log.count(first.key());
          Attempt second = first.retried();
          store().claimed(second);
          store().completed(second);

          Attempt last = Attempt.atNewKey();
          store().claimed(last);
          store().watch(last);
          store().completed(last);
          assertThat(log.awaitSettled(last.key())).isTrue();
          assertThat(log.count(first.key())).isEqualTo(heard);
        });
  }

  @Test
  default void closedSubscriptionHearsNoMore() {
    undisturbed(
        fixture().otherNode(),
        open -> {
          NotificationLog closed = new NotificationLog(fixture().otherNode());
          closed.close();
          closed.close();
          Attempt owner = Attempt.atNewKey();
          store().claimed(owner);
          store().watch(owner);
          store().completed(owner);

          assertThat(open.awaitSettled(owner.key())).isTrue();
          assertThat(closed.count(owner.key())).isZero();
        });
  }

  /** In each round, the read after the watch sees the end, or a notification of it arrives. */
  @Test
  default void noWakeUpIsLostBetweenWatchAndEnd() {
    try (Race race = new Race(2)) {
      for (int i = 0; i < 1_000; i++) {
        boolean release = i % 4 == 3;
        undisturbed(() -> assertThat(endIsSeenOrNoticed(race, release)).isTrue());
      }
    }
  }

  private boolean endIsSeenOrNoticed(Race race, boolean release) {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    StoreCalls other = new StoreCalls(fixture().otherNode());
    try (NotificationLog log = new NotificationLog(fixture().otherNode())) {
      List<Object> got =
          race.run(
              number -> {
                if (number == 0) {
                  return other.watch(owner);
                }
                return release
                    ? store().release(owner)
                    : store().complete(owner, StoreCalls.CREATED);
              });
      return !(got.get(0) instanceof KeyState.InProgress) || log.awaitSettled(owner.key());
    }
  }
}
