package dev.latchkey.store;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Something that can be passed at times, such as a connection that listens, and those who wait
 * until it can. Whoever gives up is forgotten, so that there are never more waiting than came
 * within their limits, however long it stays shut. Shut at first. Confined to the event loop of its
 * context, save {@link #isOpen}.
 */
public final class Gate {

  private final ContextInternal context;
  private final Set<Promise<Boolean>> waiting = new LinkedHashSet<>();
  private volatile boolean open;

  /**
   * Makes a gate that is shut.
   *
   * @param context whose event loop it stays on
   */
  public Gate(ContextInternal context) {
    this.context = context;
  }

  /** Returns whether it can be passed at this moment; on any thread. */
  public boolean isOpen() {
    return open;
  }

  /** Lets everybody pass who waits, and who comes from now on. */
  public void open() {
    open = true;
    List<Promise<Boolean>> all = List.copyOf(waiting);
    waiting.clear();
    all.forEach(it -> it.complete(true));
  }

  /** Has everybody wait who comes from now on. */
  public void shut() {
    open = false;
  }

  /**
   * Waits until it can be passed, for so long at most.
   *
   * @param limitMillis positive
   * @return whether it could; never fails
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
