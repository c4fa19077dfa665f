package dev.latchkey.service;

import dev.latchkey.service.http.Authentication;
import dev.latchkey.service.http.ConnectionLimits;
import dev.latchkey.service.http.ErrorResponses;
import dev.latchkey.service.http.HttpVerticle;
import dev.latchkey.service.http.Listener;
import dev.latchkey.service.http.OpenConnections;
import dev.latchkey.service.ops.DrainState;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The HTTP front of the service, {@link ServiceRouter} without the idempotency layer, with other
 * routes behind it: same server, same guard of connections, same error answers, same
 * authentication.
 */
public final class BaselineServer {

  private static final int ANY_SHARED_PORT = -1;
  private static final int MAX_CONNECTIONS = 20_000;

  private BaselineServer() {}

  /**
   * Starts it on a free port of loopback.
   *
   * @param instances HTTP verticles
   * @param api adds the routes under {@code /v1}; called once a verticle, on its event loop
   * @return the port
   */
  public static Future<Integer> start(Vertx vertx, int instances, Consumer<Router> api) {
    List<HttpVerticle> verticles = new ArrayList<>();
    Future<?> deployed = Future.succeededFuture();
    DrainState drain = new DrainState();
    Listener listener =
        new Listener(
            "127.0.0.1",
            ANY_SHARED_PORT,
            ConnectionLimits.DEFAULT,
            new OpenConnections(MAX_CONNECTIONS),
            drain,
            Optional.empty());
    for (int i = 0; i < instances; i++) {
      HttpVerticle verticle = new HttpVerticle(listener, () -> router(vertx, drain, api));
      verticles.add(verticle);
      deployed = deployed.compose(v -> vertx.deployVerticle(verticle, new DeploymentOptions()));
    }
    return deployed.map(v -> verticles.get(0).port());
  }

  private static Router router(Vertx vertx, DrainState drain, Consumer<Router> api) {
    Router router = Router.router(vertx);
    ErrorResponses.install(router);
    router
        .route()
        .handler(
            ctx -> {
              if (ctx.request().getHeader(HttpHeaders.TRANSFER_ENCODING) == null) {
                ctx.next();
              } else {
                ctx.fail(400);
              }
            });
    router
        .route()
        .handler(
            ctx -> {
              if (drain.isDraining()) {
                ctx.fail(503);
              } else {
                ctx.next();
              }
            });
    router.route("/v1/*").handler(new Authentication(Optional.empty(), () -> {}));
    router.get("/health/live").handler(ctx -> ctx.response().end("live"));
    router.get("/health/ready").handler(ctx -> ctx.response().end("ready"));
    api.accept(router);
    return router;
  }

  /** Makes an instance as {@link Processes} does. */
  public static Vertx vertx() {
    return Vertx.vertx(
        new VertxOptions()
            .setPreferNativeTransport(true)
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setClassPathResolvingEnabled(false)
                    .setFileCachingEnabled(false)));
  }
}
