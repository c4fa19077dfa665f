package dev.latchkey.service;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.service.cli.RecordedActions;
import dev.latchkey.service.cli.ServeConfig;
import dev.latchkey.service.http.ConnectionLimits;
import dev.latchkey.service.ops.NodeMetrics;
import dev.latchkey.service.ops.Readiness;
import dev.latchkey.testing.RawClient;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.web.IdempotencyNode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientBuilder;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The HTTP front on a free port, with an API that the test brings. Closed with its Vert.x. */
final class TestService implements AutoCloseable {

  private static final long LIMIT_SECONDS = 20;

  final Vertx vertx = TestVertx.create();
  final LatchkeyServer server;

  TestService(ConnectionLimits limits, Consumer<Router> api, String... args) {
    this(limits, api, Future::succeededFuture, args);
  }

  TestService(
      ConnectionLimits limits, Consumer<Router> api, Supplier<Future<Void>> probe, String... args) {
    ServeConfig config = config(args);
    NodeMetrics metrics = new NodeMetrics();
    IdempotencyNode node = await(Wiring.service(vertx, config, metrics)).node();
    server =
        await(
            LatchkeyServer.start(
                vertx,
                config,
                new ServiceParts(
                    node, List.of(new Readiness.Check("store", probe)), RoutingContext::next, api),
                metrics,
                limits));
  }

  /** What a command line means, without running it; always a free port and two instances. */
  static ServeConfig config(String... args) {
    List<String> all = new ArrayList<>(List.of("serve", "--port", "0", "--instances", "2"));
    all.addAll(List.of(args));
    return RecordedActions.parse(all.toArray(String[]::new));
  }

  static ConnectionLimits limits(long idleMillis, long bodyMillis) {
    return new ConnectionLimits(Duration.ofMillis(idleMillis), Duration.ofMillis(bodyMillis));
  }

  RawClient connect() {
    return new RawClient(server.port());
  }

  /** One that speaks HTTP/2 from its first byte on. */
  HttpClient http2Client() {
    return http2ClientBuilder().build();
  }

  HttpClientBuilder http2ClientBuilder() {
    return http2ClientBuilder(new Http2Settings());
  }

  HttpClientBuilder http2ClientBuilder(Http2Settings settings) {
    return vertx
        .httpClientBuilder()
        .with(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false)
                .setInitialSettings(settings));
  }

  @Override
  public void close() {
    await(vertx.close());
  }
}
