package dev.latchkey.web.impl;

import dev.latchkey.core.IdempotencyEngine;
import dev.latchkey.core.IdempotencyListener;
import dev.latchkey.core.NodeOptions;
import dev.latchkey.core.ParkingLot;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.PurgeResult;
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

/** The engine of one process, in a running Vert.x. */
public final class IdempotencyNodeImpl implements IdempotencyNode {

  private final VertxInternal vertx;
  private final IdempotencyStore store;
  private final VertxEnvironment environment;
  private final IdempotencyEngine engine;
  private final Subscription subscription;
  private final OutcomeCounter outcomes;
  private final ExpiredKeyPurge purge;
  private final CaptureRoute capture = new CaptureRoute();
  private final Object parkingLotKey = new Object();
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * Creates a node.
   *
   * @param vertx carries events within the process
   * @param store holds the records
   * @param options limits, not changed afterwards
   * @param listener receives events, for metrics
   */
  public IdempotencyNodeImpl(
      Vertx vertx, IdempotencyStore store, NodeOptions options, IdempotencyListener listener) {
    this.vertx = (VertxInternal) vertx;
    environment = new VertxEnvironment(vertx);
    this.store = new MeteredStore(store, listener);
    engine = new IdempotencyEngine(this.store, environment, options, listener);
    outcomes = new OutcomeCounter(listener);
    purge = new ExpiredKeyPurge(this.store, environment, options.getPurgeIntervalMillis());
    subscription = this.store.subscribe(engine::onNotification);
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
    engine
        .drain()
        .onSuccess(
            ignored -> {
              vertx.cancelTimer(timer);
              ended.tryComplete(true);
            });
    return ended.future();
  }

  @Override
  public int parked() {
    return engine.parked();
  }

  @Override
  public int running() {
    return engine.running();
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
  public Future<PurgeResult> purgeExpired(int limit) {
    return store.purgeExpired(limit);
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      subscription.close();
      environment.close();
    }
  }

  IdempotencyEngine engine() {
    return engine;
  }

  OutcomeCounter outcomes() {
    return outcomes;
  }

  /**
   * Returns the parking lot of the current event loop. It is kept in the root context of the
   * verticle or server, and ends with it.
   */
  ParkingLot parkingLot(ContextInternal context) {
    ContextInternal root = context.unwrap();
    ParkingLot known = root.get(parkingLotKey);
    if (known != null) {
      return known;
    }
    ParkingLot created = engine.newParkingLot(new VertxEnvironment.RootContext(root));
    root.put(parkingLotKey, created);
    environment.subscribe(created::onEvent);
    return created;
  }
}
