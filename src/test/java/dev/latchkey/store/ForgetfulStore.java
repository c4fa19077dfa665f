package dev.latchkey.store;

import dev.latchkey.core.spi.IdempotencyStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** A store that loses all its records when it is told to, as one without durable memory may. */
public final class ForgetfulStore {

  private final Supplier<IdempotencyStore> fresh;
  private final AtomicReference<IdempotencyStore> present;
  private final IdempotencyStore store;

  /**
   * Makes a store without records.
   *
   * @param fresh makes an empty store
   */
  public ForgetfulStore(Supplier<IdempotencyStore> fresh) {
    this.fresh = fresh;
    present = new AtomicReference<>(fresh.get());
    store =
        (IdempotencyStore)
            Proxy.newProxyInstance(
                ForgetfulStore.class.getClassLoader(),
                new Class<?>[] {IdempotencyStore.class},
                (self, method, args) -> {
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

  /** Loses all records. */
  public void forget() {
    present.set(fresh.get());
  }
}
