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

/** Another node of a {@link BrokenService}: passes all on to it, and may do more, or less. */
final class SecondNode implements AutoCloseable {

  enum Mode {
    /** Passes everything on. */
    CORRECT,
    /** Books a payment of its own for each key, which it alone lists. */
    RUNS_TOO,
    /** Books a payment of its own some time after the request, whoever waits for it. */
    RUNS_LATE,
    /** Is gone as soon as it has seen three requests. */
    GOES_AWAY,
    /** Takes every request and says nothing. */
    SILENT,
    /** Says nothing to who looks a key up. */
    SILENT_ABOUT_KEYS
  }

  final AtomicInteger posts = new AtomicInteger();
  final AtomicInteger looks = new AtomicInteger();

  static final int LATE_MILLIS = 300;

  private static final int ENOUGH = 3;

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
    boolean look = request.getParam("idempotency_key") != null;
    int seen = post ? posts.incrementAndGet() : 0;
    if (mode == Mode.RUNS_LATE && post) {
      String key = request.getHeader("Idempotency-Key");
      vertx.setTimer(LATE_MILLIS, id -> own.put(key, new JsonObject().put("id", "pay_own")));
    }
    if (look) {
      looks.incrementAndGet();
    }
    if (mode == Mode.SILENT || (look && mode == Mode.SILENT_ABOUT_KEYS)) {
      return;
    }
    if (mode == Mode.GOES_AWAY && seen >= ENOUGH) {
      server.close();
      return;
    }
    request.response().exceptionHandler(cause -> {});
    request.body().compose(body -> passOn(request, body)).onFailure(cause -> {});
  }

  private Future<Void> passOn(HttpServerRequest request, Buffer body) {
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
        .compose(answer -> answer.body().compose(bytes -> giveBack(request, key, answer, bytes)));
  }

  private Future<Void> giveBack(
      HttpServerRequest request, String key, HttpClientResponse answer, Buffer bytes) {
    Buffer given = bytes;
    String asked = request.getParam("idempotency_key");
    if (mode == Mode.RUNS_TOO && key != null) {
      own.put(key, bytes.toJsonObject().put("id", "pay_own").put("psp_charge", "ch_own"));
    } else if (asked != null && own.containsKey(asked)) {
      JsonObject page = bytes.toJsonObject();
      JsonArray data = page.getJsonArray("data");
      given = page.put("data", data.add(own.get(asked))).toBuffer();
    }
    for (String name : List.of("Idempotent-Replayed", "Location", "Vary", "Content-Type")) {
      if (answer.getHeader(name) != null) {
        request.response().putHeader(name, answer.getHeader(name));
      }
    }
    return request.response().setStatusCode(answer.statusCode()).end(given);
  }
}
