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
 * What one node hears of a store. Asked by key alone: on a server that many tests share, the notice
 * of an earlier test may still be on its way.
 */
public final class NoticeLog implements AutoCloseable {

  private static final long NOTICE_SECONDS = 30;
  private static final int TRIES = 20;

  /** A connection broke, so that notices may have been lost: what was tested did not happen. */
  @SuppressWarnings("serial")
  public static final class Disturbed extends RuntimeException {
    private Disturbed() {
      super("notices may have been lost");
    }
  }

  private final Map<ScopedKey, Integer> settled = new HashMap<>();
  private int gaps;
  private final Subscription subscription;

  /** Begins to listen. */
  public NoticeLog(IdempotencyStore node) {
    subscription = node.subscribe(this::heard);
  }

  private synchronized void heard(Notification notice) {
    if (notice instanceof Notification.Settled one) {
      settled.merge(one.key(), 1, Integer::sum);
    } else {
      gaps++;
    }
    notifyAll();
  }

  /** How many notices came for a key so far. */
  public synchronized int count(ScopedKey key) {
    return settled.getOrDefault(key, 0);
  }

  /**
   * Carries out a test of notices, once more where it is {@link Disturbed}: a server that stands
   * still loses its subscribers, and a gap is told instead.
   */
  public static void undisturbed(Runnable test) {
    for (int tries = 1; ; tries++) {
      try {
        test.run();
        return;
      } catch (Disturbed again) {
        if (tries == TRIES) {
          throw again;
        }
      }
    }
  }

  /** The same with a log of its own each time, of what this node hears. */
  public static void undisturbed(IdempotencyStore node, Consumer<NoticeLog> test) {
    undisturbed(
        () -> {
          try (NoticeLog log = new NoticeLog(node)) {
            test.accept(log);
          }
        });
  }

  /**
   * Waits until a key was noticed; false when it never is.
   *
   * @throws Disturbed when notices may have been lost since this log began
   */
  public synchronized boolean awaitSettled(ScopedKey key) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(NOTICE_SECONDS);
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
