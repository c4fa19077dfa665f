package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.Subscription;
import dev.latchkey.net.Gate;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.json.JsonArray;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgNotification;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store's ear: one connection that listens, made anew when it broke, and probed while anybody
 * waits, since a half-open connection tells nothing: until the lease of the last watched claim is
 * over, since by then whoever still waits watches again. Subscribers hear of every gap.
 */
final class NoticeChannel {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresStore.class);
  private static final String LISTEN = "LISTEN latchkey";
  private static final long PROBE_EVERY_MILLIS = 1_000;
  private static final long PROBE_LIMIT_MILLIS = 500;
  private static final long AGAIN_MILLIS = 50;

  /** A lease is watched anew at its end; this much later at the latest. */
  private static final long GRACE_MILLIS = 5_000;

  /** More than a node lives, so that the longest lease does not overflow the clock. */
  private static final long LONGEST_MILLIS = TimeUnit.DAYS.toMillis(10_000);

  private final Link link;
  private final List<Handler<Notification>> subscribers = new CopyOnWriteArrayList<>();
  private final LongSupplier nanos;
  private final AtomicLong awaitedUntilNanos;
  private final Gate listening;
  private boolean heardBefore;
  private boolean settingUp;

  /**
   * Makes a channel that is not open yet.
   *
   * @param link used by nobody else
   * @param nanos a clock of any origin
   */
  NoticeChannel(Link link, LongSupplier nanos) {
    this.link = link;
    this.nanos = nanos;
    awaitedUntilNanos = new AtomicLong(nanos.getAsLong());
    listening = new Gate(link.context());
    link.listen(this::connected, this::lost);
  }

  /** Begins to listen, and to probe. */
  void open() {
    link.context().runOnContext(ignored -> connect());
    link.context()
        .setPeriodic(
            PROBE_EVERY_MILLIS,
            timer -> {
              if (link.isClosed()) {
                link.context().owner().cancelTimer(timer);
              } else {
                probe();
              }
            });
  }

  Subscription subscribe(Handler<Notification> handler) {
    // An identity of its own, so that a handler given twice is two subscriptions.
    Handler<Notification> subscriber = notice -> handler.handle(notice);
    subscribers.add(subscriber);
    return () -> subscribers.remove(subscriber);
  }

  /** Completes once notices are heard, if anybody wants any. */
  Future<Void> beforeWatch(long limitMillis) {
    if (subscribers.isEmpty()) {
      return Future.succeededFuture();
    }
    return heard(limitMillis);
  }

  /** Completes once notices are heard. */
  Future<Void> heard(long limitMillis) {
    return link.on(() -> listening.passed(limitMillis))
        .compose(
            heard ->
                heard
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        Failures.notDone(
                            "no connection listens for notices within " + limitMillis + " ms")));
  }

  /** Somebody waits for a claim, for as long as its lease lasts or until there is a notice. */
  void awaited(long leaseLeftMillis) {
    long millis = Math.min(leaseLeftMillis, LONGEST_MILLIS) + GRACE_MILLIS;
    long untilNanos = nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis);
    awaitedUntilNanos.accumulateAndGet(
        untilNanos, (known, other) -> other - known > 0 ? other : known);
  }

  private void connect() {
    if (settingUp || link.isClosed()) {
      return;
    }
    settingUp = true;
    link.ready()
        .compose(connected -> link.sendCommand(LISTEN))
        .onComplete(
            done -> {
              settingUp = false;
              if (done.succeeded()) {
                listens();
              } else {
                connectLater();
              }
            });
  }

  private void connectLater() {
    if (!link.isClosed()) {
      link.context().setTimer(AGAIN_MILLIS, ignored -> connect());
    }
  }

  private void connected(PgConnection connection) {
    connection.notificationHandler(this::notified);
  }

  private void listens() {
    listening.open();
    if (heardBefore) {
      tell(new Notification.Gap());
    }
    heardBefore = true;
  }

  private void lost() {
    listening.shut();
    if (!settingUp) {
      connectLater();
    }
  }

  private void probe() {
    boolean waiting = !subscribers.isEmpty() && awaitedUntilNanos.get() - nanos.getAsLong() > 0;
    if (waiting && !settingUp && listening.isOpen()) {
      // A limit that is passed cuts the connection, and that connects anew.
      link.sendCommand("SELECT 1", PROBE_LIMIT_MILLIS);
    }
  }

  private void notified(PgNotification notification) {
    Notification.Settled notice;
    try {
      JsonArray parts = new JsonArray(notification.getPayload());
      notice =
          new Notification.Settled(
              new ScopedKey(parts.getString(0), parts.getString(1), parts.getString(2)));
    } catch (RuntimeException unreadable) {
      LOG.warn("a notice on the channel latchkey is none of ours and was ignored");
      return;
    }
    tell(notice);
  }

  private void tell(Notification notice) {
    for (Handler<Notification> subscriber : subscribers) {
      try {
        subscriber.handle(notice);
      } catch (RuntimeException broken) {
        LOG.warn("a subscriber to notices failed: {}", broken.toString());
      }
    }
  }
}
