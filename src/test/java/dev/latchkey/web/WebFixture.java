package dev.latchkey.web;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.core.IdempotencyListener;
import dev.latchkey.core.IdempotencyListener.Limit;
import dev.latchkey.core.IdempotencyListener.Outcome;
import dev.latchkey.core.NodeOptions;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.CountingStore;
import dev.latchkey.store.memory.MemoryStore;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/** An application with a protected route, with options and a handler of the test. */
final class WebFixture implements AutoCloseable {

  final Vertx vertx = TestVertx.create();

  /** The committed effects, in order. */
  final List<Effect> committed = new CopyOnWriteArrayList<>();

  /** The effect that the store refuses, if any. */
  volatile Optional<Effect> refused = Optional.empty();

  /** Whether the next completion is lost on its way to the store; called once for each. */
  volatile BooleanSupplier lostBeforeCommit = () -> false;

  /** The outcomes of requests, in order. */
  final List<Outcome> outcomes = new CopyOnWriteArrayList<>();

  /** The exceeded limits, in order. */
  final List<Limit> limits = new CopyOnWriteArrayList<>();

  /** Runs between the body handler and the idempotency handler. */
  volatile Handler<RoutingContext> before = RoutingContext::next;

  /** Handles failures. */
  volatile Handler<RoutingContext> failure = RoutingContext::next;

  final FakeTransactions transactions =
      new FakeTransactions(
          MemoryStore.create(
              MemoryBudget.ofHeap(),
              effects -> {
                if (lostBeforeCommit.getAsBoolean()) {
                  throw new IllegalStateException("lost by the test");
                }
                for (Effect effect : effects) {
                  if (refused.filter(effect::equals).isPresent()) {
                    return Optional.of(
                        new dev.latchkey.core.spi.CompleteResult.EffectRefused(
                            effect.name(), "refused by the test"));
                  }
                }
                committed.addAll(effects);
                return Optional.empty();
              }));

  final CountingStore store = new CountingStore(transactions);
  final IdempotencyNode node;
  private final HttpClient client = HttpClient.newHttpClient();
  private final HttpServer server;

  WebFixture(IdempotencyOptions options, Handler<RoutingContext> handler) {
    this(options, new NodeOptions(), handler);
  }

  WebFixture(IdempotencyOptions options, NodeOptions nodeOptions, Handler<RoutingContext> handler) {
    this(
        nodeOptions,
        (router, app) ->
            router
                .route("/orders/:id")
                .handler(BodyHandler.create(false))
                .handler(ctx -> app.before.handle(ctx))
                .handler(IdempotencyHandler.create(app.node, scoped(options)))
                .handler(handler)
                .failureHandler(ctx -> app.failure.handle(ctx)));
  }

  /** With the test's own routes. */
  WebFixture(NodeOptions nodeOptions, BiConsumer<Router, WebFixture> routes) {
    node =
        IdempotencyNode.create(
            vertx,
            store,
            nodeOptions,
            new IdempotencyListener() {
              @Override
              public void responded(Outcome outcome) {
                outcomes.add(outcome);
              }

              @Override
              public void limitReached(Limit limit) {
                limits.add(limit);
              }
            });
    Router router = Router.router(vertx);
    router.route().handler(node.capture());
    routes.accept(router, this);
    server = vertx.createHttpServer().requestHandler(router);
    await(server.listen(0, "127.0.0.1"));
  }

  private static IdempotencyOptions scoped(IdempotencyOptions options) {
    return options.getScope().isPresent() ? options : options.singleTenant();
  }

  URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.actualPort() + path);
  }

  HttpRequest.Builder request(String method, String body) {
    return HttpRequest.newBuilder(uri("/orders/7"))
        .header("Content-Type", "application/json")
        .method(method, BodyPublishers.ofString(body));
  }

  HttpRequest.Builder keyed(String key, String body) {
    return request("POST", body).header("Idempotency-Key", key);
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return client.send(request.build(), BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> sendAsync(HttpRequest.Builder request) {
    return client.sendAsync(request.build(), BodyHandlers.ofString());
  }

  @Override
  public void close() {
    await(vertx.close());
  }
}
