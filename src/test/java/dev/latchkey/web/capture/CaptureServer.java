package dev.latchkey.web.capture;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.testing.TestVertx;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Consumer;

/** Real servers and clients on loopback for both protocols. */
final class CaptureServer implements AutoCloseable {

  final Vertx vertx = TestVertx.create(new VertxOptions().setEventLoopPoolSize(2));
  final HttpClient http1 = vertx.createHttpClient(new HttpClientOptions());
  final HttpClient h2c =
      vertx.createHttpClient(
          new HttpClientOptions()
              .setProtocolVersion(HttpVersion.HTTP_2)
              .setHttp2ClearTextUpgrade(false));

  HttpClient client(HttpVersion version) {
    return version == HttpVersion.HTTP_2 ? h2c : http1;
  }

  /** Serves a router, with the capture route before everything else. */
  int captured(Consumer<Router> routes) throws Exception {
    return serve(
        router -> {
          router.route().handler(new CaptureRoute());
          routes.accept(router);
        });
  }

  /** Serves one handler behind the capture route. */
  int capturedBy(Handler<RoutingContext> handler) throws Exception {
    return captured(router -> router.route().handler(handler));
  }

  int serve(Consumer<Router> routes) throws Exception {
    Router router = Router.router(vertx);
    routes.accept(router);
    return await(
            vertx
                .createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(true))
                .requestHandler(router)
                .listen(0, "127.0.0.1"))
        .actualPort();
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
