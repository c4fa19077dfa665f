package dev.latchkey.psp;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Limits the concurrent sends of each tenant, so that one tenant's slow calls do not take every
 * connection. Further sends wait in order, within their own time limit. Safe for use by any thread.
 */
final class TenantLimitedTransport implements PspTransport {

  private final Vertx vertx;
  private final PspTransport target;
  private final int limit;

  // Guarded by itself; contains the tenants with a send in progress.
  private final Map<String, Share> shares = new HashMap<>();

  private static final class Share {
    private final Queue<Promise<Boolean>> waiting = new ArrayDeque<>();
    private int running;
  }

  TenantLimitedTransport(Vertx vertx, PspTransport target, int limit) {
    this.vertx = vertx;
    this.target = target;
    this.limit = limit;
  }

  @Override
  public PspTransport forTenant(String tenant) {
    return (key, call, timeoutMillis) -> send(tenant, key, call, timeoutMillis);
  }

  /** Without a tenant there is no limit. */
  @Override
  public Future<Outcome> send(String key, PspCall call, long timeoutMillis) {
    return target.send(key, call, timeoutMillis);
  }

  private Future<Outcome> send(String tenant, String key, PspCall call, long timeoutMillis) {
    long startNanos = System.nanoTime();
    return enter(tenant, timeoutMillis)
        .compose(
            entered -> {
              if (!entered) {
                return Future.succeededFuture(
                    new Outcome.NotSent("the tenant has " + limit + " calls in progress"));
              }
              long spentMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
              return target
                  .send(key, call, Math.max(1, timeoutMillis - spentMillis))
                  .onComplete(ended -> leave(tenant));
            });
  }

  /** Completes with false if the tenant had no room within the time limit. */
  private Future<Boolean> enter(String tenant, long timeoutMillis) {
    Promise<Boolean> turn = Promise.promise();
    synchronized (shares) {
      Share share = shares.computeIfAbsent(tenant, name -> new Share());
      if (share.running < limit) {
        share.running++;
        return Future.succeededFuture(true);
      }
      share.waiting.add(turn);
    }
    Context context = vertx.getOrCreateContext();
    Promise<Boolean> entered = Promise.promise();
    long timer = vertx.setTimer(timeoutMillis, id -> turn.tryComplete(false));
    turn.future()
        .onSuccess(
            hasRoom ->
                context.runOnContext(
                    now -> {
                      vertx.cancelTimer(timer);
                      entered.complete(hasRoom);
                    }));
    return entered.future();
  }

  /** Hands the place to the first send that still waits. */
  private void leave(String tenant) {
    while (true) {
      Promise<Boolean> next;
      synchronized (shares) {
        Share share = shares.get(tenant);
        if (share == null) {
          return;
        }
        next = share.waiting.poll();
        if (next == null) {
          share.running--;
          if (share.running == 0) {
            shares.remove(tenant);
          }
          return;
        }
      }
      if (next.tryComplete(true)) {
        return;
      }
    }
  }

  @Override
  public Future<Void> close() {
    return target.close();
  }
}
