package dev.latchkey.bench;

import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;

/** A bare Vert.x Web application of one route, to compare the start with. */
public final class BareVertxMain {

  private BareVertxMain() {}

  /** Listens on the port that is given. */
  public static void main(String[] args) {
    Vertx vertx = Vertx.vertx();
    Router router = Router.router(vertx);
    router.get("/health/live").handler(ctx -> ctx.response().end("{\"status\":\"live\"}"));
    vertx.createHttpServer().requestHandler(router).listen(Integer.parseInt(args[0]), "127.0.0.1");
  }
}
