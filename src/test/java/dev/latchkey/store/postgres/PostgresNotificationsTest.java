package dev.latchkey.store.postgres;

import static dev.latchkey.store.NotificationLog.undisturbed;
import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.Attempt;
import dev.latchkey.store.NotificationLog;
import dev.latchkey.store.StoreCalls;
import dev.latchkey.testing.Await;
import dev.latchkey.testing.servers.CuttingProxy;
import dev.latchkey.testing.servers.Direction;
import dev.latchkey.testing.servers.PgMessage;
import dev.latchkey.testing.servers.RealServers;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** The connection that listens, cut and silenced. */
@Timeout(value = 180, threadMode = ThreadMode.SEPARATE_THREAD)
class PostgresNotificationsTest {

  private static final long NOTICE_SECONDS = 60;

  /** A machine that is busy may lose a connection of its own accord: once more, then. */
  private static final int TRIES = 10;

  private PostgresNodes nodes;
  private CuttingProxy proxy;
  private StoreCalls owner;
  private PostgresStore waiting;

  @BeforeEach
  void open() {
    nodes = new PostgresNodes(RealServers.freshDatabase());
    proxy = CuttingProxy.before(nodes.database);
    owner = new StoreCalls(nodes.open());
    waiting = nodes.open(PostgresNodes.patient(), proxy.through(nodes.database));
  }

  @AfterEach
  void close() {
    nodes.close();
    proxy.close();
  }

  private Attempt watched() {
    Attempt attempt = Attempt.atNewKey();
    owner.claimed(attempt);
    assertThat(await(waiting.watch(attempt.key()))).isInstanceOf(KeyState.InProgress.class);
    return attempt;
  }

  private void assertGapThenNotices(LinkedBlockingQueue<Notification> notices)
      throws InterruptedException {
    Notification gap = new Notification.Gap();
    assertThat(notices.poll(NOTICE_SECONDS, TimeUnit.SECONDS)).isEqualTo(gap);
    Set<Notification> settled = new HashSet<>();
    Notification heard = gap;
    for (int tries = 0; tries < TRIES && gap.equals(heard); tries++) {
      Attempt next = watched();
      owner.completed(next);
      settled.add(new Notification.Settled(next.key()));
      heard = notices.poll(NOTICE_SECONDS, TimeUnit.SECONDS);
    }
    assertThat(settled).contains(heard);
  }

  @Test
  void cutConnectionListensAgainAndReportsAGap() throws InterruptedException {
    LinkedBlockingQueue<Notification> notices = new LinkedBlockingQueue<>();
    waiting.subscribe(notices::add);
    watched();

    proxy.cutAll();

    assertGapThenNotices(notices);
  }

  @Test
  void silentConnectionIsDetectedWhileAKeyIsAwaited() throws InterruptedException {
    LinkedBlockingQueue<Notification> notices = new LinkedBlockingQueue<>();
    PostgresStoreOptions quick = new PostgresStoreOptions().setCallTimeoutMillis(4_000);
    waiting = nodes.open(quick, proxy.through(nodes.database));
    waiting.subscribe(notices::add);
    watched();

    // Nothing arrives any more, as from a peer that is gone without a word.
    proxy.forget();
    proxy.swallow(Direction.TO_CLIENT);
    Await.until(
        "a new connection opens",
        () -> proxy.trace().stream().anyMatch(PostgresNotificationsTest::isStartup));
    proxy.pass();

    assertGapThenNotices(notices);
  }

  /** The first message of a new connection: the old one was given up. */
  private static boolean isStartup(PgMessage message) {
    return message.direction() == Direction.TO_SERVER && message.type() == 0;
  }

  @Test
  void waitingCostsOnlyTheProbe() {
    undisturbed(
        waiting,
        log -> {
          Attempt attempt = watched();
          proxy.forget();
          Await.until(
              "three probes are sent",
              () -> proxy.trace().stream().filter(it -> it.runs("SELECT 1")).count() >= 3);
          List<String> statements =
              proxy.trace().stream().filter(it -> it.runs("")).map(PgMessage::sql).toList();
          owner.completed(attempt);
          assertThat(log.awaitSettled(attempt.key())).isTrue();
          assertThat(statements).containsOnly("SELECT 1");
        });
  }

  @Test
  void connectionIsProbedUntilTheAwaitedLeaseEnds() {
    AtomicLong nanos = new AtomicLong(System.nanoTime());
    waiting = nodes.open(PostgresNodes.patient(), proxy.through(nodes.database), nanos::get);
    undisturbed(
        waiting,
        log -> {
          Attempt attempt = watched();
          nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(Attempt.LONG_LEASE_MILLIS));
          proxy.forget();
          Await.until(
              "a probe is sent", () -> proxy.trace().stream().anyMatch(it -> it.runs("SELECT 1")));
          owner.completed(attempt);
          assertThat(log.awaitSettled(attempt.key())).isTrue();
        });
  }

  @Test
  void withoutWaitersNothingIsSent() {
    Attempt attempt = Attempt.atNewKey();
    owner.claimed(attempt);
    await(waiting.lookup(attempt.key()));
    try (NotificationLog log = new NotificationLog(waiting)) {
      assertThat(log.count(attempt.key())).isZero();
      assertThat(proxy.trace()).noneMatch(it -> it.runs("SELECT 1"));
    }
  }

  @Test
  void longestAndStrangestKeysAreNotified() {
    String wide = "\u20ac\u0001\"\\'";
    for (ScopedKey key :
        List.of(
            new ScopedKey(
                "\u0001".repeat(ScopedKey.MAX_TENANT_CHARS),
                "\u0001".repeat(ScopedKey.MAX_ROUTE_CHARS),
                "\"".repeat(ScopedKey.MAX_KEY_CHARS)),
            new ScopedKey(
                "\u20ac".repeat(ScopedKey.MAX_TENANT_CHARS),
                "\u20ac".repeat(ScopedKey.MAX_ROUTE_CHARS),
                "~".repeat(ScopedKey.MAX_KEY_CHARS)),
            new ScopedKey(wide, wide, "'k' \\ \" ;"))) {
      Attempt attempt = Attempt.at(key);
      owner.claimed(attempt);
      try (NotificationLog log = new NotificationLog(waiting)) {
        await(waiting.watch(key));
        owner.step(attempt, "\u20ac".repeat(100), "x");
        owner.completed(attempt);
        assertThat(log.awaitSettled(key)).isTrue();
      }
    }
  }
}
