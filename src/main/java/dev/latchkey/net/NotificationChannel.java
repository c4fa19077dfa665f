package dev.latchkey.net;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.internal.ContextInternal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A subscription to the notifications of a server that survives the loss of its connection. It
 * subscribes again with back-off, and then reports a gap, since notifications may have been missed.
 *
 * <p>A half-open connection reports nothing. So the connection is probed once a second while a
 * waiter needs it; a probe without a response within {@value #PROBE_LIMIT_MILLIS} ms is a loss.
 * Otherwise the channel costs nothing.
 *
 * <p>The state is confined to the event loop of the context; every method says where it may be
 * called.
 *
 * @param <N> a notification
 */
public final class NotificationChannel<N> {

  private static final Logger LOG = LoggerFactory.getLogger(NotificationChannel.class);
  private static final BackOff BACK_OFF = new BackOff(50, 1_000);
  private static final long PROBE_PAUSE_MILLIS = 1_000;
  private static final long PROBE_LIMIT_MILLIS = 500;

  /** A waiter watches again when the lease ends; this much later at the latest. */
  private static final long GRACE_MILLIS = 5_000;

  /** Longer than a node lives, so that the longest lease does not overflow the clock. */
  private static final long LONGEST_MILLIS = TimeUnit.DAYS.toMillis(10_000);

  private final ContextInternal context;
  private final NotificationSource source;
  private final N gap;
  private final LongSupplier nanos;
  private final List<Handler<N>> subscribers = new CopyOnWriteArrayList<>();
  private final AtomicLong awaitedUntilNanos;
  private final Gate subscribed;
  private boolean missed;
  private boolean probing;
  private boolean closed;
  private int failures;
  private int connection;

  /**
   * Makes a channel that is not open yet.
   *
   * @param context whose event loop it is confined to
   * @param source makes the connections
   * @param gap reported when notifications may have been missed
   * @param nanos a clock of any origin
   */
  public NotificationChannel(
      ContextInternal context, NotificationSource source, N gap, LongSupplier nanos) {
    this.context = context;
    this.source = source;
    this.gap = gap;
    this.nanos = nanos;
    awaitedUntilNanos = new AtomicLong(nanos.getAsLong());
    subscribed = new Gate(context);
  }

  /** Subscribes, and again after every loss. On any thread. */
  public void open() {
    context.runOnContext(ignored -> connect());
  }

  /**
   * Drops the connection for good. On any thread; idempotent.
   *
   * @return succeeds when it is gone
   */
  public Future<Void> close() {
    return Contexts.call(
        context,
        () -> {
          closed = true;
          subscribed.shut();
          return source.close();
        });
  }

  /**
   * Adds a subscriber. On any thread.
   *
   * @param handler called on the channel's event loop; an exception is logged
   * @return removes it
   */
  public Runnable subscribe(Handler<N> handler) {
    // A handler that is given twice is two subscriptions.
    Handler<N> subscriber = notification -> handler.handle(notification);
    subscribers.add(subscriber);
    return () -> subscribers.remove(subscriber);
  }

  /** Returns whether there is a subscriber. On any thread. */
  public boolean hasSubscribers() {
    return !subscribers.isEmpty();
  }

  /**
   * Waits until notifications arrive. On any thread.
   *
   * @param limitMillis how long to wait at most, positive
   * @return false if the limit was over first; then a gap is reported later
   */
  public Future<Boolean> subscribed(long limitMillis) {
    if (subscribed.isOpen()) {
      return Future.succeededFuture(true);
    }
    return Contexts.call(
        context, () -> subscribed.passed(limitMillis).onSuccess(passed -> missed |= !passed));
  }

  /**
   * Probes the connection while a claim is awaited. On any thread.
   *
   * @param leaseLeftMillis how long the claim lasts
   */
  public void await(long leaseLeftMillis) {
    long millis = Math.min(leaseLeftMillis, LONGEST_MILLIS) + GRACE_MILLIS;
    long untilNanos = nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(millis);
    awaitedUntilNanos.accumulateAndGet(
        untilNanos, (known, other) -> other - known > 0 ? other : known);
    context.runOnContext(ignored -> probeWhileAwaited());
  }

  /**
   * Passes a notification to all subscribers. On the channel's event loop.
   *
   * @param notification from the server
   */
  public void publish(N notification) {
    for (Handler<N> subscriber : subscribers) {
      try {
        subscriber.handle(notification);
      } catch (RuntimeException failure) {
        LOG.error("a subscriber to notifications failed: {}", failure.toString());
      }
    }
  }

  /**
   * Notifications may be missing although the connection is intact. On the channel's event loop.
   */
  public void missed() {
    missed = true;
    if (subscribed.isOpen()) {
      reportGap();
    }
  }

  private void reportGap() {
    if (missed) {
      missed = false;
      publish(gap);
    }
  }

  /** The connection was lost after it had subscribed. On the channel's event loop. */
  public void lost() {
    if (subscribed.isOpen()) {
      missed = true;
      subscribed.shut();
      connectLater();
    }
  }

  private void connect() {
    if (!closed) {
      source.subscribe().onSuccess(done -> listens()).onFailure(failure -> connectLater());
    }
  }

  private void connectLater() {
    if (!closed) {
      failures++;
      long pauseMillis = BACK_OFF.delayMillis(failures, ThreadLocalRandom.current());
      context.setTimer(pauseMillis, ignored -> connect());
    }
  }

  private void listens() {
    if (closed) {
      return;
    }
    failures = 0;
    connection++;
    subscribed.open();
    reportGap();
    probeWhileAwaited();
  }

  private void probeWhileAwaited() {
    boolean awaited = awaitedUntilNanos.get() - nanos.getAsLong() > 0;
    if (probing || !awaited || !subscribed.isOpen()) {
      return;
    }
    probing = true;
    int probed = connection;
    Future<Void> probe =
        source.probe().onFailure(cause -> unusable(probed, ConnectionFailure.reason(cause)));
    context.setTimer(
        PROBE_LIMIT_MILLIS,
        ignored -> {
          if (!probe.isComplete()) {
            unusable(probed, "no response to a probe within " + PROBE_LIMIT_MILLIS + " ms");
          }
        });
    context.setTimer(
        PROBE_PAUSE_MILLIS,
        ignored -> {
          probing = false;
          probeWhileAwaited();
        });
  }

  private void unusable(int probed, String reason) {
    if (probed == connection && subscribed.isOpen()) {
      source.drop(reason);
      lost();
    }
  }
}
