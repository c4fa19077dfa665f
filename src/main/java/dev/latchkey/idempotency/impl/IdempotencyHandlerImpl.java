package dev.latchkey.idempotency.impl;

import dev.latchkey.idempotency.IdempotencyHandler;
import dev.latchkey.idempotency.IdempotencyOptions;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;

public final class IdempotencyHandlerImpl implements IdempotencyHandler {
  public IdempotencyHandlerImpl(IdempotencyNodeImpl node, IdempotencyOptions options) {}

  @Override
  public void handle(RoutingContext ctx) {
    ctx.next();
  }

  @Override
  public Handler<RoutingContext> keyCheck() {
    return RoutingContext::next;
  }
}
