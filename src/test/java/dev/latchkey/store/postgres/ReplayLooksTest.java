package dev.latchkey.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.ClaimResult.Claimed;
import dev.latchkey.core.spi.ClaimResult.Completed;
import dev.latchkey.core.spi.Outline;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.CuttingProxy.Action;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.testing.servers.PgMessage;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Claims that look before they ask, since those before them found their keys completed. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class ReplayLooksTest {

  private static final int MANY = 24;
  private static final long SHORT_MILLIS = 1_000;
  private static final Outline OUTLINE = Outline.of(new byte[] {7});

  private PostgresNodes nodes;
  private CuttingProxy proxy;
  private Database traced;
  private PostgresStore store;
  private StoreCalls calls;

  @BeforeEach
  void open() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    nodes.holdClock();
    proxy = CuttingProxy.before(nodes.database);
    traced = proxy.through(nodes.database);
    store = nodes.open(PostgresNodes.PATIENT, traced);
    calls = new StoreCalls(store);
  }

  @AfterEach
  void close() {
    nodes.close();
    proxy.close();
  }

  private static boolean isLook(PgMessage message) {
    return message.runs(ClaimSql.LOOK);
  }

  private static boolean isClaim(PgMessage message) {
    return message.runs("INSERT INTO latchkey_key");
  }

  private long looks() {
    return proxy.trace().stream().filter(ReplayLooksTest::isLook).count();
  }

  private long claims() {
    return proxy.trace().stream().filter(ReplayLooksTest::isClaim).count();
  }

  private Attempt completed() {
    Attempt done = Attempt.atNewKey();
    calls.claimed(done);
    calls.completed(done);
    return done;
  }

  private List<Attempt> completed(int count) {
    List<Attempt> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(completed());
    }
    return all;
  }

  private static Supplier<Future<ClaimResult>> claim(PostgresStore by, Attempt attempt) {
    return () -> by.claim(attempt.request());
  }

  private List<ClaimResult> atOnce(PostgresStore by, List<Attempt> attempts) {
    return nodes.atOnce(attempts.stream().map(it -> claim(by, it)).toList());
  }

  private static List<Attempt> retried(List<Attempt> attempts) {
    return attempts.stream().map(Attempt::retried).toList();
  }

  /** Replays until the event loop of {@link PostgresNodes#atOnce} and this thread's both look. */
  private void convince(PostgresStore of, Attempt done) {
    List<Runnable> ways =
        List.of(
            () -> atOnce(of, List.of(done.retried())),
            () -> new StoreCalls(of).claim(done.retried()));
    for (Runnable way : ways) {
      do {
        proxy.forget();
        way.run();
      } while (looks() == 0);
    }
    proxy.forget();
  }

  @Test
  void replaysAreAnsweredByLooksAlone() {
    List<Attempt> done = completed(MANY);
    convince(store, done.get(0));

    assertThat(atOnce(store, retried(done)))
        .allSatisfy(
            it ->
                assertThat(it)
                    .isInstanceOfSatisfying(
                        Completed.class,
                        replay -> assertThat(replay.response()).isEqualTo(StoreCalls.CREATED)));

    assertThat(looks()).isEqualTo(1);
    assertThat(claims()).isZero();
  }

  @Test
  void oneReplayIsOneStatement() {
    Attempt done = completed();
    convince(store, done);

    Completed replay = (Completed) calls.claim(done.retried());

    assertThat(replay.expiry().inMillis()).isEqualTo(Attempt.LONG_RETENTION_MILLIS);
    assertThat(looks()).isEqualTo(1);
    assertThat(claims()).isZero();
  }

  @Test
  void looksOfOneKeyShareAStatement() {
    Attempt done = completed();
    convince(store, done);

    List<ClaimResult> replays = atOnce(store, retried(Collections.nCopies(MANY, done)));

    assertThat(Set.copyOf(replays)).hasSize(1);
    assertThat(looks()).isEqualTo(1);
    assertThat(claims()).isZero();
  }

  @Test
  void fewReplaysAmongNewKeysAreNotLookedFor() {
    Attempt done = completed();
    for (int i = 0; i < MANY; i++) {
      calls.claim(done.retried());
      calls.claimed(Attempt.atNewKey());
    }

    assertThat(looks()).isZero();
  }

  @Test
  void newKeysAfterReplaysAreClaimedAndSoonWithoutALook() {
    convince(store, completed());
    List<Attempt> fresh = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      fresh.add(Attempt.atNewKey());
    }

    fresh.forEach(it -> assertThat(calls.claimed(it).attempt()).isEqualTo(1));

    assertThat(looks()).isLessThan(ReplayGuess.ENOUGH);
    fresh.forEach(calls::completed);
  }

  /** What may stand under a key, and who claims it then. */
  private enum Kind {
    ABSENT,
    COMPLETED,
    COMPLETED_BY_THE_CLAIMANT,
    COMPLETED_OTHER_REQUEST,
    EXPIRED,
    EXPIRED_OTHER_REQUEST,
    RUNNING,
    RUNNING_BY_THE_CLAIMANT,
    RUNNING_OTHER_REQUEST,
    LAPSED,
    LAPSED_WITH_A_STEP,
    RELEASED,
    RELEASED_BY_THE_CLAIMANT,
    RELEASED_OTHER_REQUEST;

    boolean is(String part) {
      return name().contains(part);
    }
  }

  /** Brings a key of its own to where it is to be and returns the claim; takes no time. */
  private Attempt made(Kind kind, Mode mode) {
    Attempt first = Attempt.atNewKey().withOutline(OUTLINE);
    if (kind.is("LAPSED") || kind.is("EXPIRED")) {
      first = first.withLease(SHORT_MILLIS);
    }
    if (kind.is("EXPIRED")) {
      first = first.withRetention(SHORT_MILLIS);
    }
    if (kind != Kind.ABSENT) {
      calls.claimed(first);
    }
    if (kind.is("STEP")) {
      calls.step(first, "charge", "ch_1");
    }
    if (kind.is("COMPLETED") || kind.is("EXPIRED")) {
      calls.completed(first);
    } else if (kind.is("RELEASED")) {
      calls.released(first);
    }
    Attempt next =
        kind.is("OTHER_REQUEST")
            ? first.otherRequest()
            : kind.is("CLAIMANT") ? first : first.retried();
    return next.withLease(Attempt.LONG_LEASE_MILLIS).withMode(mode);
  }

  private List<Attempt> oneOfEachKind(Mode mode) {
    List<Attempt> all =
        new ArrayList<>(Arrays.stream(Kind.values()).map(it -> made(it, mode)).toList());
    nodes.advanceMillis(SHORT_MILLIS);
    return all;
  }

  @ParameterizedTest
  @EnumSource
  void eachKindOfKeyIsToldTheSameWithALookAsWithout(Mode mode) {
    PostgresStore looking = nodes.openLooking(PostgresNodes.PATIENT, traced);
    convince(looking, completed());
    List<ClaimResult> plain = atOnce(store, oneOfEachKind(mode));
    List<ClaimResult> byOne = new ArrayList<>();
    oneOfEachKind(mode).forEach(it -> byOne.add(new StoreCalls(looking).claim(it)));
    proxy.forget();

    List<ClaimResult> looked = atOnce(looking, oneOfEachKind(mode));

    assertThat(looks()).isEqualTo(mode == Mode.TAKEOVER ? 0 : 1);
    assertThat(told(looked)).isEqualTo(told(plain));
    assertThat(told(byOne)).isEqualTo(told(plain));
    assertThat(looked.stream().map(Object::getClass).collect(Collectors.toSet()))
        .contains(Claimed.class, Completed.class, ClaimResult.Mismatch.class);
  }

  /** The clock goes on between the rounds: instants differ, what is left of the time does not. */
  private static List<String> told(List<ClaimResult> results) {
    return results.stream()
        .map(it -> it.toString().replaceAll("atEpochMillis=\\d+", "later"))
        .toList();
  }

  @Test
  void claimThatNeedNotBeDurableYetIsLookedForToo() {
    Attempt done = completed();
    convince(store, done);
    ClaimRequest it = done.retried().request();
    ClaimRequest inStore =
        new ClaimRequest(it.claim(), it.retentionMillis(), it.outline(), it.mode(), true);

    assertThat(StoreCalls.await(store.claim(inStore))).isInstanceOf(Completed.class);
    assertThat(claims()).isZero();
  }

  @Test
  void recordThatCannotBeReadFailsItsOwnClaimAlone() {
    List<Attempt> done = completed(MANY);
    convince(store, done.get(0));
    Attempt broken = done.get(MANY / 2);
    nodes.database.value(
        "UPDATE latchkey_key SET response = '\\x63' WHERE key = '" + broken.key().key() + "'");

    List<Future<ClaimResult>> running =
        StoreCalls.await(
            nodes.started(retried(done).stream().map(it -> claim(store, it)).toList()));

    for (int i = 0; i < MANY; i++) {
      Future<ClaimResult> each = running.get(i);
      if (i == MANY / 2) {
        assertThatThrownBy(() -> StoreCalls.await(each))
            .isInstanceOfSatisfying(
                StoreException.class, it -> assertThat(it.outcome()).isEqualTo(Outcome.NOT_DONE))
            .hasMessageContaining("version 99");
      } else {
        assertThat(StoreCalls.await(each)).isInstanceOf(Completed.class);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Action.class,
      names = {"CUT_BEFORE", "CUT_AFTER"})
  void connectionThatBreaksUnderALookCostsNoCallItsAnswer(Action action) {
    List<Attempt> attempts = new ArrayList<>(retried(completed(MANY)));
    Attempt fresh = Attempt.atNewKey();
    attempts.add(MANY / 2, fresh);
    convince(store, attempts.get(0));
    proxy.at(ReplayLooksTest::isLook, 1, action);

    List<ClaimResult> results = atOnce(store, attempts);

    assertThat(results.get(MANY / 2)).isInstanceOf(Claimed.class);
    assertThat(results).filteredOn(Completed.class::isInstance).hasSize(MANY);
    calls.completed(fresh);
    convince(store, attempts.get(0));
  }

  @Test
  void connectionThatFallsSilentUnderALookCostsNoCallItsAnswer() {
    PostgresStore hasty = nodes.open(PostgresNodes.PATIENT.withCallTimeoutMillis(12_000), traced);
    Attempt done = completed();
    convince(hasty, done);
    proxy.at(ReplayLooksTest::isLook, 1, Action.SILENCE_BEFORE);

    assertThat(new StoreCalls(hasty).claim(done.retried())).isInstanceOf(Completed.class);
  }

  @Test
  void looksPastTheBoundAreLeftToTheClaim() {
    Vertx vertx = TestVertx.create();
    try {
      PostgresStoreOptions one = PostgresNodes.PATIENT.withMaxQueue(1);
      PgConnectOptions connect = PgConnectOptions.fromUri(nodes.database.uri());
      Link link = new Links(vertx, connect, one).onOwnLoop(Session.STATEMENTS);
      LookLane lane = new LookLane(link, one);
      ClaimRequest done = completed().retried().request();
      List<Future<Optional<Completed>>> looks = new ArrayList<>();
      StoreCalls.await(
          link.whenReady(
              () -> {
                looks.add(lane.look(done));
                looks.add(lane.look(done));
                assertThat(looks.get(0).isComplete()).isFalse();
                return Future.succeededFuture();
              }));
      assertThat(StoreCalls.await(looks.get(0))).isPresent();
      assertThat(StoreCalls.await(looks.get(1))).isEmpty();
    } finally {
      StoreCalls.await(vertx.close());
    }
  }

  @Test
  void anyNumberOfEventLoopsMayHaveConnectionsOfTheirOwn() {
    PostgresStore unbounded =
        nodes.open(PostgresNodes.PATIENT.withMaxShortcuts(Integer.MAX_VALUE), nodes.database);
    new StoreCalls(unbounded).claimed(Attempt.atNewKey());
  }

  @Test
  void whoHasNoConnectionOfItsOwnLooksOverThatOfTheStore() {
    PostgresStore shared = nodes.open(PostgresNodes.PATIENT.withMaxShortcuts(0), traced);
    Attempt done = completed();
    convince(shared, done);

    assertThat(atOnce(shared, List.of(done.retried())).get(0)).isInstanceOf(Completed.class);
    assertThat(looks()).isEqualTo(1);
    assertThat(claims()).isZero();
  }
}
