package dev.latchkey.web.capture;

import io.vertx.core.internal.ContextInternal;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Pending calls of a {@link CaptureListener}. They are added under a lock, and run in order, on the
 * request's context, without the lock.
 */
final class ListenerCalls {

  private final Object lock;
  private final ContextInternal context;
  private final Deque<Runnable> pending = new ArrayDeque<>(2);

  ListenerCalls(Object lock, ContextInternal context) {
    this.lock = lock;
    this.context = context;
  }

  void add(Runnable call) {
    synchronized (lock) {
      pending.add(call);
    }
  }

  /** Returns whether calls are pending. Requires the lock. */
  boolean arePending() {
    return !pending.isEmpty();
  }

  /** Runs the pending calls. Does nothing if an outer call on this thread holds the lock. */
  void run() {
    while (!Thread.holdsLock(lock)) {
      Runnable next;
      synchronized (lock) {
        next = pending.poll();
      }
      if (next == null) {
        return;
      }
      context.emit(v -> next.run());
    }
  }
}
