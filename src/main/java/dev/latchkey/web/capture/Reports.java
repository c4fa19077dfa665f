package dev.latchkey.web.capture;

import io.vertx.core.internal.ContextInternal;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What a sink has still to be told. Added under a lock, told outside of it and on the request's
 * context, in order.
 */
final class Reports {

  private final Object lock;
  private final ContextInternal context;
  private final Deque<Runnable> waiting = new ArrayDeque<>(2);

  Reports(Object lock, ContextInternal context) {
    this.lock = lock;
    this.context = context;
  }

  void add(Runnable report) {
    synchronized (lock) {
      waiting.add(report);
    }
  }

  /** Whether there is something to tell; asked under the lock. */
  boolean isAny() {
    return !waiting.isEmpty();
  }

  /** Tells what there is to tell, unless a call further out on this thread holds the lock. */
  void tell() {
    while (!Thread.holdsLock(lock)) {
      Runnable next;
      synchronized (lock) {
        next = waiting.poll();
      }
      if (next == null) {
        return;
      }
      context.emit(v -> next.run());
    }
  }
}
