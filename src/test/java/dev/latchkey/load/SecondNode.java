package dev.latchkey.load;

import dev.latchkey.net.BaseUrl;
import dev.latchkey.testing.TestVertx;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A second node of a {@link BrokenService}, which forwards to it and may have a defect. */
final class SecondNode implements AutoCloseable {

  enum Mode {
    /** Forwards everything. */
    CORRECT,
    /** Also stores its own payment for each key, which it alone lists. */
    EXECUTES_TOO,
    /** Stores its own payment some time after the request. */
    EXECUTES_LATE,
    /** Stops after three requests. */
    STOPS,
    /** Accepts every request and never responds. */
    SILENT,
    /** Never responds to a lookup by key. */
    SILENT_LOOKUPS
  }

  final AtomicInteger posts = new AtomicInteger();
  final AtomicInteger lookups = new AtomicInteger();

  static final int LATE_MILLIS = 300;

  private static final int MAX_POSTS = 3;

  private final Mode mode;
  private final int peer;
  private final Vertx vertx = TestVertx.create();
  private final HttpClient client = vertx.createHttpClient();
  private final Map<String, JsonObject> own = new ConcurrentHashMap<>();
  private final HttpServer server;

  SecondNode(Mode mode, BrokenService first) {
    this.mode = mode;
    this.peer = BaseUrl.parse(first.url()).port();
    this.server =
        vertx.createHttpServer().requestHandler(this::handle).listen(0, "127.0.0.1").await();
  }

  String url() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  @Override
  public void close() {
    vertx.close().await();
  }

  private void handle(HttpServerRequest request) {
    boolean post = request.method().equals(HttpMethod.POST);
    boolean lookup = request.getParam("idempotency_key") != null;
    int seen = post ? posts.incrementAndGet() : 0;
    if (mode == Mode.EXECUTES_LATE && post) {
      String key = request.getHeader("Idempotency-Key");
      vertx.setTimer(LATE_MILLIS, id -> own.put(key, new JsonObject().put("id", "pay_own")));
    }
    if (lookup) {
      lookups.incrementAndGet();
    }
    if (mode == Mode.SILENT || (lookup && mode == Mode.SILENT_LOOKUPS)) {
      return;
    }
    if (mode == Mode.STOPS && seen >= MAX_POSTS) {
      server.close();
      return;
    }
    request.response().exceptionHandler(cause -> {});
    request.body().compose(body -> forward(request, body)).onFailure(cause -> {});
  }

  private Future<Void> forward(HttpServerRequest request, Buffer body) {
    String key = request.getHeader("Idempotency-Key");
    return client
        .request(request.method(), peer, "127.0.0.1", request.uri())
        .compose(
            passed -> {
              if (key != null) {
                passed.putHeader("Idempotency-Key", key);
              }
              return passed.send(body);
            })
        .compose(
            response -> response.body().compose(bytes -> sendBack(request, key, response, bytes)));
  }

  private Future<Void> sendBack(
      HttpServerRequest request, String key, HttpClientResponse response, Buffer bytes) {
    Buffer sent = bytes;
    String lookedUp = request.getParam("idempotency_key");
    if (mode == Mode.EXECUTES_TOO && key != null) {
      own.put(key, bytes.toJsonObject().put("id", "pay_own").put("psp_charge", "ch_own"));
    } else if (lookedUp != null && own.containsKey(lookedUp)) {
      JsonObject page = bytes.toJsonObject();
      JsonArray data = page.getJsonArray("data");
      sent = page.put("data", data.add(own.get(lookedUp))).toBuffer();
    }
    for (String name : List.of("Idempotent-Replayed", "Location", "Vary", "Content-Type")) {
      if (response.getHeader(name) != null) {
        request.response().putHeader(name, response.getHeader(name));
      }
    }
    return request.response().setStatusCode(response.statusCode()).end(sent);
  }
}
