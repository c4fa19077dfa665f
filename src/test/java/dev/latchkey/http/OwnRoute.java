package dev.latchkey.http;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.core.IdempotencyListener;
import dev.latchkey.core.NodeOptions;
import dev.latchkey.web.IdempotencyHandler;
import dev.latchkey.web.IdempotencyNode;
import dev.latchkey.web.IdempotencyOptions;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A keyed route with a handler of the test's own, over the store of a scene: for answers that the
 * payments API never gives. Replays come from the store alone. Closed with the scene.
 */
final class OwnRoute {

  private final AtomicInteger runs = new AtomicInteger();
  private final Vertx vertx;
  private final int port;

  OwnRoute(Scene scene, Handler<RoutingContext> handler) {
    vertx = scene.vertx();
    IdempotencyNode node =
        IdempotencyNode.create(
            vertx,
            scene.bareStore(),
            new NodeOptions().setReplayCacheBytes(0),
            IdempotencyListener.NONE);
    Router router = Router.router(vertx);
    router.route().handler(node.capture());
    router
        .post("/own")
        .handler(BodyHandler.create(false))
        .handler(IdempotencyHandler.create(node, new IdempotencyOptions().singleTenant()))
        .handler(
            ctx -> {
              runs.incrementAndGet();
              handler.handle(ctx);
            });
    port =
        await(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1")).actualPort();
  }

  /** How often the handler ran. */
  int runs() {
    return runs.get();
  }

  Call call(String key) {
    return new Call(vertx, vertx.createHttpClient(), port, HttpMethod.POST, "/own", Sabotage.NONE)
        .key(key)
        .body("text/plain", Buffer.buffer("x"));
  }
}
