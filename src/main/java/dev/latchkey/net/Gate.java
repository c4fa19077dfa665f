package dev.latchkey.net;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A condition that callers can wait for, such as an established subscription. Closed at first. A
 * waiter whose limit is over is forgotten, so a gate that stays closed keeps no more waiters than
 * arrived within their limits. Confined to the event loop of its context, except {@link #isOpen}.
 */
public final class Gate {

  private final ContextInternal context;
  private final Set<Promise<Boolean>> waiting = new LinkedHashSet<>();
  private volatile boolean open;

  /**
   * Makes a closed gate.
   *
   * @param context whose event loop it is confined to
   */
  public Gate(ContextInternal context) {
    this.context = context;
  }

  /** Returns whether it is open. On any thread. */
  public boolean isOpen() {
    return open;
  }

  /** Opens it; all waiters pass. */
  public void open() {
    open = true;
    List<Promise<Boolean>> all = List.copyOf(waiting);
    waiting.clear();
    all.forEach(it -> it.complete(true));
  }

  /** Closes it; callers wait from now on. */
  public void shut() {
    open = false;
  }

  /**
   * Waits until it is open.
   *
   * @param limitMillis how long to wait at most, positive
   * @return false if the limit was over first; never fails
   */
  public Future<Boolean> passed(long limitMillis) {
    if (open) {
      return Future.succeededFuture(true);
    }
    Promise<Boolean> passing = Promise.promise();
    waiting.add(passing);
    long timer =
        context.setTimer(
            limitMillis,
            ignored -> {
              if (waiting.remove(passing)) {
                passing.complete(false);
              }
            });
    return passing.future().onComplete(done -> context.owner().cancelTimer(timer));
  }
}
