package dev.latchkey.store;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.Subscription;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The notifications that one node receives. Counted by key: on a server that tests share, the one
 * of an earlier test may still arrive.
 */
public final class NotificationLog implements AutoCloseable {

  private static final long LIMIT_SECONDS = 30;

  /** A connection broke, so that notifications may have been lost; the test is inconclusive. */
  @SuppressWarnings("serial")
  public static final class Disturbed extends RuntimeException {
    private Disturbed() {
      super("notifications may have been lost");
    }
  }

  private final Map<ScopedKey, Integer> settled = new HashMap<>();
  private int gaps;
  private final Subscription subscription;

  /** Subscribes. */
  public NotificationLog(IdempotencyStore node) {
    subscription = node.subscribe(this::receive);
  }

  private synchronized void receive(Notification notification) {
    if (notification instanceof Notification.Settled one) {
      settled.merge(one.key(), 1, Integer::sum);
    } else {
      gaps++;
    }
    notifyAll();
  }

  /** The number of notifications for a key so far. */
  public synchronized int count(ScopedKey key) {
    return settled.getOrDefault(key, 0);
  }

  /**
   * Runs a test of notifications. Repeats it once if it was {@link Disturbed}: a paused server
   * loses its subscribers, and the store reports a gap instead. The gap is reported over the new
   * connection, so a second one is a defect.
   */
  public static void undisturbed(Runnable test) {
    try {
      test.run();
    } catch (Disturbed inconclusive) {
      test.run();
    }
  }

  /** The same with a new log of a node's notifications each time. */
  public static void undisturbed(IdempotencyStore node, Consumer<NotificationLog> test) {
    undisturbed(
        () -> {
          try (NotificationLog log = new NotificationLog(node)) {
            test.accept(log);
          }
        });
  }

  /**
   * Waits for the notification of a key; returns false if there is none.
   *
   * @throws Disturbed if notifications may have been lost since this log began
   */
  public synchronized boolean awaitSettled(ScopedKey key) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    try {
      while (count(key) == 0 && gaps == 0) {
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        if (leftMillis <= 0) {
          return false;
        }
        wait(leftMillis);
      }
      if (gaps > 0) {
        throw new Disturbed();
      }
      return true;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    subscription.close();
  }
}
