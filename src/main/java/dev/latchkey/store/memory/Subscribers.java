package dev.latchkey.store.memory;

import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.Subscription;
import io.vertx.core.Handler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The subscribers of a memory store. Safe for use by any thread. */
final class Subscribers {

  private static final Logger LOG = LoggerFactory.getLogger(Subscribers.class);

  /** Not a record: two subscriptions of the same handler are different. */
  private static final class Subscriber {
    private final Handler<Notification> handler;

    Subscriber(Handler<Notification> handler) {
      this.handler = handler;
    }
  }

  private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();

  Subscription subscribe(Handler<Notification> handler) {
    Subscriber subscriber = new Subscriber(handler);
    subscribers.add(subscriber);
    return () -> subscribers.remove(subscriber);
  }

  /**
   * Notifies all subscribers on the calling thread. A failing subscriber does not affect others.
   */
  void notifySettled(ScopedKey key) {
    Notification notification = new Notification.Settled(key);
    for (Subscriber subscriber : subscribers) {
      try {
        subscriber.handler.handle(notification);
      } catch (RuntimeException broken) {
        LOG.error("A subscriber of the memory store failed: {}", broken.toString());
      }
    }
  }
}
