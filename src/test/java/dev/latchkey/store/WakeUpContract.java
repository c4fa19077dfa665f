package dev.latchkey.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.idempotency.spi.KeyState;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who watches is told, who does not is left alone, and no wake-up is lost between the two. */
public interface WakeUpContract extends StoreContract {

  @Test
  default void watcherIsToldOfACompletion() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    try (NoticeLog log = new NoticeLog(fixture().otherNode())) {
      StoreCalls other = new StoreCalls(fixture().otherNode());
      assertThat(other.watch(owner)).isInstanceOf(KeyState.InProgress.class);
      assertThat(log.count(owner.key())).isZero();

      store().completed(owner);

      assertThat(log.awaitSettled(owner.key())).isTrue();
      assertThat(((KeyState.Completed) other.lookup(owner)).response())
          .isEqualTo(StoreCalls.CREATED);
    }
  }

  @Test
  default void watcherIsToldOfARelease() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    try (NoticeLog log = new NoticeLog(fixture().otherNode())) {
      new StoreCalls(fixture().otherNode()).watch(owner);

      store().released(owner);

      assertThat(log.awaitSettled(owner.key())).isTrue();
    }
  }

  @Test
  default void everySubscriberIsTold() {
    Attempt owner = Attempt.atNewKey();
    store().claimed(owner);
    try (NoticeLog one = new NoticeLog(fixture().store());
        NoticeLog two = new NoticeLog(fixture().otherNode());
        NoticeLog three = new NoticeLog(fixture().otherNode())) {
      new StoreCalls(fixture().otherNode()).watch(owner);

      store().completed(owner);

      assertThat(List.of(one, two, three))
          .allSatisfy(log -> assertThat(log.awaitSettled(owner.key())).isTrue());
    }
  }

  @Test
  default void interestSurvivesATakeover() {
    Attempt dead = shortLease();
    store().claimed(dead);
    try (NoticeLog log = new NoticeLog(fixture().otherNode())) {
      new StoreCalls(fixture().otherNode()).watch(dead);
      endShortLease();
      Attempt owner = dead.retried().withLease(Attempt.LONG_LEASE_MILLIS);
      store().claimed(owner);
      assertThat(log.count(dead.key())).isZero();

      store().completed(owner);

      assertThat(log.awaitSettled(dead.key())).isTrue();
    }
  }

  @Test
  default void watchReadsWhatStandsThere() {
    Attempt owner = Attempt.atNewKey();
    assertThat(store().watch(owner)).isInstanceOf(KeyState.Absent.class);
    store().claimed(owner);
    assertThat(store().watch(owner))
        .isInstanceOfSatisfying(
            KeyState.InProgress.class,
            state -> {
              assertThat(state.fingerprint()).isEqualTo(owner.claim().fingerprint());
              assertThat(state.outline()).isEqualTo(owner.request().outline());
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
  default void nobodyIsToldOfWhatNobodyWatches() {
    List<Attempt> unwatched = Stream.generate(Attempt::atNewKey).limit(100).toList();
    try (NoticeLog log = new NoticeLog(fixture().otherNode())) {
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
      // A watched key last: once its notice is here, all before it would be.
      Attempt last = Attempt.atNewKey();
      store().claimed(last);
      store().watch(last);
      store().completed(last);

      assertThat(log.awaitSettled(last.key())).isTrue();
      assertThat(unwatched).allSatisfy(it -> assertThat(log.count(it.key())).isZero());
    }
  }

  @Test
  default void interestEndsWithTheRelease() {
    try (NoticeLog log = new NoticeLog(fixture().otherNode())) {
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
    }
  }

  @Test
  default void closedSubscriptionHearsNoMore() {
    NoticeLog closed = new NoticeLog(fixture().otherNode());
    closed.close();
    closed.close();
    try (NoticeLog open = new NoticeLog(fixture().otherNode())) {
      Attempt owner = Attempt.atNewKey();
      store().claimed(owner);
      store().watch(owner);
      store().completed(owner);

      assertThat(open.awaitSettled(owner.key())).isTrue();
      assertThat(closed.count(owner.key())).isZero();
    }
  }

  /** Each round, either the read after the watch sees the end, or a notice of it comes. */
  @Test
  default void noWakeUpIsLostBetweenWatchAndEnd() {
    int rounds = 1_000;
    int seen = 0;
    int noticed = 0;
    StoreCalls other = new StoreCalls(fixture().otherNode());
    try (NoticeLog log = new NoticeLog(fixture().otherNode());
        Race race = new Race(2)) {
      for (int i = 0; i < rounds; i++) {
        Attempt owner = Attempt.atNewKey();
        store().claimed(owner);
        boolean release = i % 4 == 3;
        KeyState read =
            (KeyState)
                race.run(
                        number -> {
                          if (number == 0) {
                            return other.watch(owner);
                          }
                          return release
                              ? store().release(owner)
                              : store().complete(owner, StoreCalls.CREATED);
                        })
                    .get(0);
        if (!(read instanceof KeyState.InProgress)) {
          seen++;
        } else if (log.awaitSettled(owner.key())) {
          noticed++;
        }
      }
    }
    assertThat(seen + noticed).as("seen %d, noticed %d", seen, noticed).isEqualTo(rounds);
  }
}
