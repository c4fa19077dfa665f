package dev.latchkey.examples;

import static dev.latchkey.testing.Await.await;

import dev.latchkey.store.StoreCalls;
import dev.latchkey.store.postgres.PostgresSchema;
import dev.latchkey.store.postgres.PostgresStore;
import dev.latchkey.testing.TestVertx;
import dev.latchkey.testing.servers.Database;
import dev.latchkey.web.IdempotencyHandler;
import dev.latchkey.web.IdempotencyNode;
import dev.latchkey.web.IdempotencyOptions;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

/** One node of an application that keeps its keys and its own rows in one database. */
final class TripApplication implements AutoCloseable {

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  final IdempotencyNode node;
  private final Vertx vertx = TestVertx.create();
  private final PostgresStore store;
  private final HttpServer server;

  TripApplication(Database by, long leaseMillis, Handler<RoutingContext> handler) {
    store = PostgresStore.create(vertx, by.connectOptions());
    StoreCalls.eventually(store::listening);
    node = IdempotencyNode.create(vertx, store);
    Router router = Router.router(vertx);
    router.route().handler(node.capture());
    router
        .post("/trips")
        .handler(BodyHandler.create(false))
        .handler(
            IdempotencyHandler.create(
                node, new IdempotencyOptions().singleTenant().setLeaseMillis(leaseMillis)))
        .handler(handler);
    server = vertx.createHttpServer().requestHandler(router);
    await(server.listen(0, "127.0.0.1"));
  }

  static void migrate(Database database) {
    Vertx vertx = TestVertx.create();
    await(PostgresSchema.keys().migrate(vertx, database.connectOptions()));
    await(vertx.close());
  }

  CompletableFuture<HttpResponse<String>> send(String key) {
    URI uri = URI.create("http://127.0.0.1:" + server.actualPort() + "/trips");
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString("{\"to\":\"Ghent\"}"))
            .build();
    return CLIENT.sendAsync(request, BodyHandlers.ofString());
  }

  /** Ends like a crash: closes the connections without finishing or releasing anything. */
  @Override
  public void close() {
    await(store.close());
    await(vertx.close());
  }
}
