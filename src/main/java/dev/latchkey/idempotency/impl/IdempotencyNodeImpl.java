package dev.latchkey.idempotency.impl;

import dev.latchkey.idempotency.IdempotencyListener;
import dev.latchkey.idempotency.IdempotencyNode;
import dev.latchkey.idempotency.NodeOptions;
import dev.latchkey.idempotency.spi.IdempotencyStore;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;

public final class IdempotencyNodeImpl implements IdempotencyNode {
  public IdempotencyNodeImpl(
      Vertx vertx, IdempotencyStore store, NodeOptions options, IdempotencyListener listener) {}

  @Override
  public Handler<RoutingContext> capture() {
    return RoutingContext::next;
  }

  @Override
  public Future<Boolean> drain(long timeoutMillis) {
    return Future.succeededFuture(true);
  }

  @Override
  public int parked() {
    return 0;
  }

  @Override
  public int running() {
    return 0;
  }

  @Override
  public void close() {}
}
