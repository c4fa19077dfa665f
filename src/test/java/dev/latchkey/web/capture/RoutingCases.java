package dev.latchkey.web.capture;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.handler.FileSystemAccess;
import io.vertx.ext.web.handler.HttpException;
import io.vertx.ext.web.handler.ResponseContentTypeHandler;
import io.vertx.ext.web.handler.StaticHandler;
import io.vertx.ext.web.handler.TimeoutHandler;
import java.nio.file.Path;

/** Responses that result from the arrangement of routes and from handlers of Vert.x Web. */
final class RoutingCases {

  private final ResponseCases cases;
  private final Vertx vertx;
  private final Path file;

  RoutingCases(ResponseCases cases, Vertx vertx, Path file) {
    this.cases = cases;
    this.vertx = vertx;
    this.file = file;
  }

  void add() {
    routes();
    threads();
    results();
    handlers();
  }

  private void routes() {
    cases.routes(
        "sub-router",
        router -> {
          Router sub = Router.router(vertx);
          sub.route("/").handler(ctx -> ctx.json(new JsonObject().put("in", "sub-router")));
          router.route("/x*").subRouter(sub);
        });
    cases.routes(
        "failing sub-router",
        router -> {
          Router sub = Router.router(vertx);
          sub.route("/").handler(ctx -> ctx.fail(418));
          router.route("/x*").subRouter(sub);
          router.route("/x*").failureHandler(ctx -> ctx.end("kettle"));
        });
    cases.routes(
        "reroute",
        router -> {
          router
              .route("/x")
              .handler(
                  ctx -> {
                    ctx.response().putHeader("X-Lost", "1");
                    ctx.reroute("/y");
                  });
          router.route("/y").handler(ctx -> ctx.response().end("rerouted " + ctx.request().uri()));
        });
    cases.routes(
        "handlers in turn",
        router -> {
          router
              .route("/x")
              .handler(
                  ctx -> {
                    ctx.response().setChunked(true).write("a");
                    ctx.next();
                  });
          router.route("/x").handler(ctx -> ctx.response().end("b"));
        });
  }

  private void threads() {
    cases.routes(
        "blocking handler",
        router ->
            router
                .route("/x")
                .blockingHandler(
                    ctx -> {
                      ctx.response().setChunked(true).write("from ");
                      ctx.response().end("a worker");
                    }));
    cases.respond(
        "foreign thread",
        ctx ->
            new Thread(
                    () -> {
                      ctx.response().setChunked(true).write("from ");
                      ctx.response().end("elsewhere");
                    })
                .start());
    cases.respond("timer", ctx -> ctx.vertx().setTimer(1, id -> ctx.response().end("later")));
  }

  private void results() {
    cases.routes(
        "respond with a value",
        router ->
            router
                .route("/x")
                .respond(ctx -> Future.succeededFuture(new JsonObject().put("a", 1))));
    cases.routes(
        "respond with nothing",
        router -> router.route("/x").respond(ctx -> Future.succeededFuture()));
    cases.routes(
        "respond with a failure",
        router -> router.route("/x").respond(ctx -> Future.failedFuture(new HttpException(403))));
  }

  private void handlers() {
    cases.routes(
        "static files",
        router -> {
          StaticHandler files =
              StaticHandler.create(FileSystemAccess.ROOT, file.getParent().toString());
          router
              .route("/x")
              .handler(ctx -> ctx.reroute(HttpMethod.GET, "/static/" + file.getFileName()));
          router.route("/static/*").handler(files);
        });
    cases.routes(
        "content type by route",
        router ->
            router
                .route("/x")
                .produces("application/vnd.shop+json")
                .handler(ResponseContentTypeHandler.create())
                .handler(ctx -> ctx.response().end("{}")));
    cases.respond(
        "headers-end handler",
        ctx -> {
          ctx.addHeadersEndHandler(v -> ctx.response().putHeader("X-At-End", "1"));
          ctx.addHeadersEndHandler(v -> ctx.response().headers().add("X-Twice", "1"));
          ctx.response().setChunked(true).write("a");
          ctx.response().end();
        });
    cases.routes(
        "time-out",
        router ->
            router.route("/x").handler(TimeoutHandler.create(20)).handler(ctx -> ctx.request()));
  }
}
