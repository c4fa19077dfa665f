package dev.latchkey.client;

import static dev.latchkey.testing.Await.await;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/** A server that responds as told, one response per request; the last one repeats. */
final class ScriptedService {

  /** The requests, in the order of arrival. */
  final List<HttpServerRequest> requests = new CopyOnWriteArrayList<>();

  private final BlockingQueue<Handler<HttpServerRequest>> script = new LinkedBlockingQueue<>();
  private final HttpServer server;

  ScriptedService(Vertx vertx) {
    server = await(vertx.createHttpServer().requestHandler(this::handle).listen(0, "127.0.0.1"));
  }

  String url() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  ScriptedService then(Handler<HttpServerRequest> response) {
    script.add(response);
    return this;
  }

  ScriptedService then(int status) {
    return then(request -> request.response().setStatusCode(status).end("{}"));
  }

  ScriptedService thenProblem(int status, String name, Map<String, String> headers) {
    return then(
        request -> {
          request.response().putHeader("Content-Type", "application/problem+json");
          headers.forEach(request.response()::putHeader);
          request
              .response()
              .setStatusCode(status)
              .end(new JsonObject().put("type", "/problems/" + name).encode());
        });
  }

  private void handle(HttpServerRequest request) {
    requests.add(request);
    Handler<HttpServerRequest> next = script.size() > 1 ? script.remove() : script.element();
    next.handle(request);
  }
}
