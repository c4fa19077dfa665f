package dev.latchkey.store;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.Subscription;
import io.vertx.core.Handler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** A store that loses all its records on demand, but no subscriber. */
public final class ForgetfulStore {

  private final Supplier<IdempotencyStore> fresh;
  private final AtomicReference<IdempotencyStore> present;
  private final IdempotencyStore store;
  private final List<Handler<Notification>> subscribers = new CopyOnWriteArrayList<>();

  /**
   * Makes a store without records.
   *
   * @param fresh makes an empty store
   */
  @SuppressWarnings("unchecked")
  public ForgetfulStore(Supplier<IdempotencyStore> fresh) {
    this.fresh = fresh;
    present = new AtomicReference<>(fresh.get());
    store =
        (IdempotencyStore)
            Proxy.newProxyInstance(
                ForgetfulStore.class.getClassLoader(),
                new Class<?>[] {IdempotencyStore.class},
                (self, method, args) -> {
                  if (method.getName().equals("subscribe")) {
                    return subscribe((Handler<Notification>) args[0]);
                  }
                  try {
                    return method.invoke(present.get(), args);
                  } catch (InvocationTargetException e) {
                    throw e.getTargetException();
                  }
                });
  }

  /** The store with its current records. */
  public IdempotencyStore store() {
    return store;
  }

  private Subscription subscribe(Handler<Notification> handler) {
    // The same handler may be subscribed to several stores by now; it hears nothing once closed.
    AtomicReference<Handler<Notification>> open = new AtomicReference<>(handler);
    Handler<Notification> forwarding = notification -> open.get().handle(notification);
    subscribers.add(forwarding);
    present.get().subscribe(forwarding);
    return () -> {
      subscribers.remove(forwarding);
      open.set(closed -> {});
    };
  }

  /** Loses all records, and the interest of waiters. */
  public void forget() {
    IdempotencyStore next = fresh.get();
    subscribers.forEach(next::subscribe);
    present.set(next);
  }
}
