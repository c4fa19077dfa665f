package dev.latchkey.examples;

import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.memory.EffectTarget;
import dev.latchkey.store.memory.MemoryStore;
import dev.latchkey.web.IdempotencyHandler;
import dev.latchkey.web.IdempotencyNode;
import dev.latchkey.web.IdempotencyOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.concurrent.atomic.AtomicInteger;

/** Somebody else's application: two lines, marked, make its orders safe to retry. */
final class OrdersApplication extends VerticleBase {

  final AtomicInteger orders = new AtomicInteger();
  private HttpServer server;

  @Override
  public Future<?> start() {
    var store = MemoryStore.create(MemoryBudget.ofHeap(), EffectTarget.NONE);
    var node = IdempotencyNode.create(vertx, store);
    Router router = Router.router(vertx);
    router.route().handler(node.capture()); // one
    router
        .post("/orders")
        .handler(BodyHandler.create(false))
        .handler(IdempotencyHandler.create(node, new IdempotencyOptions().singleTenant())) // two
        .handler(ctx -> ctx.json(new JsonObject().put("order", orders.incrementAndGet())));
    server = vertx.createHttpServer().requestHandler(router);
    return server.listen(0, "127.0.0.1");
  }

  int port() {
    return server.actualPort();
  }
}
