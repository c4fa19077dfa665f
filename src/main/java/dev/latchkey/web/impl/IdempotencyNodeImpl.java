package dev.latchkey.web.impl;

import dev.latchkey.core.IdempotencyEngine;
import dev.latchkey.core.IdempotencyListener;
import dev.latchkey.core.NodeOptions;
import dev.latchkey.core.ParkingLot;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.Subscription;
import dev.latchkey.web.IdempotencyNode;
import dev.latchkey.web.capture.CaptureRoute;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** The control flow of one process, in a running Vert.x. */
public final class IdempotencyNodeImpl implements IdempotencyNode {

  private final VertxInternal vertx;
  private final IdempotencyStore store;
  private final VertxSurroundings surroundings;
  private final IdempotencyEngine flow;
  private final Subscription subscription;
  private final Outcomes outcomes;
  private final ExpiredKeyPurge purge;
  private final CaptureRoute capture = new CaptureRoute();
  private final Object lotOfThisNode = new Object();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Makes the node of a process.
   *
   * @param vertx whose event bus carries the news
   * @param store where the records live
   * @param options limits
   * @param listener told what happens
   */
  public IdempotencyNodeImpl(
      Vertx vertx, IdempotencyStore store, NodeOptions options, IdempotencyListener listener) {
    this.vertx = (VertxInternal) vertx;
    surroundings = new VertxSurroundings(vertx);
    this.store = new MeteredStore(store, listener);
    flow = new IdempotencyEngine(this.store, surroundings, options, listener);
    outcomes = new Outcomes(listener);
    purge = new ExpiredKeyPurge(this.store, surroundings, options.getPurgeIntervalMillis());
    subscription = this.store.subscribe(flow::onNotification);
  }

  @Override
  public Handler<RoutingContext> capture() {
    return capture;
  }

  @Override
  public Handler<HttpServerRequest> capture(Handler<HttpServerRequest> router) {
    return CaptureRoute.before(router);
  }

  @Override
  public Future<Boolean> drain(long timeoutMillis) {
    Promise<Boolean> ended = Promise.promise();
    long timer = vertx.setTimer(timeoutMillis, ignored -> ended.tryComplete(false));
    flow.drain()
        .onSuccess(
            ignored -> {
              vertx.cancelTimer(timer);
              ended.tryComplete(true);
            });
    return ended.future();
  }

  @Override
  public int parked() {
    return flow.parked();
  }

  @Override
  public int running() {
    return flow.running();
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key) {
    return ScopedKey.isKey(key)
        ? store.records(tenant, key, MAX_RECORDS)
        : Future.succeededFuture(List.of());
  }

  @Override
  public IdempotencyNode startPurging() {
    purge.start();
    return this;
  }

  @Override
  public Future<Integer> purgeExpired(int limit) {
    return store.purgeExpired(limit);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      subscription.close();
      surroundings.close();
    }
  }

  IdempotencyEngine flow() {
    return flow;
  }

  Outcomes outcomes() {
    return outcomes;
  }

  /**
   * The lot of the event loop that a request lives on, called there. It lives in the root context
   * of the verticle or server, and goes with it; only that context's thread comes here.
   */
  ParkingLot lot(ContextInternal context) {
    ContextInternal root = context.unwrap();
    ParkingLot known = root.get(lotOfThisNode);
    if (known != null) {
      return known;
    }
    ParkingLot lot = flow.newParkingLot(new VertxLoop(root));
    root.put(lotOfThisNode, lot);
    surroundings.hear(lot::hear);
    return lot;
  }
}
