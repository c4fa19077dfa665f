package dev.latchkey.bench;

import io.vertx.core.Vertx;

/** A bare Vert.x application of one route, to compare the start with. */
public final class BareVertxMain {

  private BareVertxMain() {}

  /** Listens on the port that is given. */
  public static void main(String[] args) {
    Vertx.vertx()
        .createHttpServer()
        .requestHandler(request -> request.response().end("{\"status\":\"live\"}"))
        .listen(Integer.parseInt(args[0]), "127.0.0.1");
  }
}
