package dev.latchkey.store.memory;

import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.Subscription;
import io.vertx.core.Handler;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whoever subscribed to a memory store. Safe for use by any thread. */
final class Notices {

  private static final Logger LOG = LoggerFactory.getLogger(Notices.class);

  /** A subscription is itself and no other, also when two share a handler. */
  private record Subscriber(Handler<Notification> handler, Object identity) {}

  private final List<Subscriber> subscribers = new CopyOnWriteArrayList<>();

  Subscription subscribe(Handler<Notification> handler) {
    Subscriber subscriber = new Subscriber(handler, new Object());
    subscribers.add(subscriber);
    return () -> subscribers.remove(subscriber);
  }

  /** Tells everybody, on the calling thread. A subscriber that throws does not stop the others. */
  void settled(ScopedKey key) {
    Notification notice = new Notification.Settled(key);
    for (Subscriber subscriber : subscribers) {
      try {
        subscriber.handler().handle(notice);
      } catch (RuntimeException broken) {
        LOG.error("a subscriber to the memory store's notices failed: {}", broken.toString());
      }
    }
  }
}
