package dev.latchkey.load;

import dev.latchkey.testing.TestVertx;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/**
 * A payments service with its PSP that is correct or has one chosen defect. Its state is confined
 * to its server's event loop; the counters are safe for the test.
 */
final class BrokenService implements AutoCloseable {

  enum Mode {
    CORRECT,
    EXECUTES_TWICE,
    CHARGES_TWICE,
    CHARGES_TWICE_UNDER_A_KEY,
    SHARES_A_CHARGE,
    OTHER_USERS_CHARGE,
    RESPONSES_DIFFER,
    LOSES_A_PAYMENT,
    MARKS_NO_REPLAY,
    ALWAYS_503,
    SOME_WITHOUT_RESPONSE,
    REFUSES_DUPLICATES,
    REFUSES_WITH_MARKUP,
    REFUSES_WITH_ESCAPES,
    HEADERS_DIFFER,
    HEADERS_OF_THE_MOMENT,
    LISTS_ONE_AT_A_TIME,
    LIST_NEVER_ENDS,
    STORES_ANOTHER_AMOUNT,
    LISTS_ANOTHER_CHARGE,
    LISTS_AS_CANCELED,
    PSP_UNAVAILABLE,
    CONFLICT_BEFORE_RESPONSE,
    CANNOT_BE_AUDITED,
    NO_PAYMENTS_API
  }

  final AtomicInteger maxInFlight = new AtomicInteger();
  final AtomicInteger posts = new AtomicInteger();
  final AtomicInteger statsReads = new AtomicInteger();
  final AtomicInteger connections = new AtomicInteger();
  volatile String lastAuthorization = "";
  volatile String lastMethod = "";
  private volatile Context loop;

  private final Mode mode;
  private final Vertx vertx = TestVertx.create();
  private final HttpServer server;
  private final Map<String, List<JsonObject>> payments = new HashMap<>();
  private final Map<String, Promise<JsonObject>> results = new HashMap<>();
  private final Map<String, Integer> received = new HashMap<>();
  private final Map<String, JsonObject> charges = new HashMap<>();
  private final IntPredicate gateOpens;
  private final IntPredicate gateOpensByPosts;
  private final Promise<Void> gate = Promise.promise();
  private int nextId;
  private int foreignCharges;
  private int inFlight;

  BrokenService(Mode mode) {
    this(mode, inFlight -> true, posts -> true);
  }

  private BrokenService(Mode mode, IntPredicate gateOpens, IntPredicate gateOpensByPosts) {
    this.mode = mode;
    this.gateOpens = gateOpens;
    this.gateOpensByPosts = gateOpensByPosts;
    this.server =
        vertx
            .createHttpServer()
            .connectionHandler(connection -> connections.incrementAndGet())
            .requestHandler(this::handle)
            .listen(0, "127.0.0.1")
            .await();
  }

  /** A correct service that responds once a number of requests is in flight. */
  static BrokenService untilInFlight(int requests) {
    return new BrokenService(Mode.CORRECT, inFlight -> inFlight >= requests, posts -> true);
  }

  /** A correct service that responds after {@link #release}. */
  static BrokenService holding() {
    return new BrokenService(Mode.CORRECT, inFlight -> false, posts -> false);
  }

  /** Completes once a number of requests is in flight. */
  CompletableFuture<Void> held(int requests) {
    CompletableFuture<Void> held = new CompletableFuture<>();
    vertx.setPeriodic(
        1,
        id -> {
          if (maxInFlight.get() >= requests) {
            vertx.cancelTimer(id);
            held.complete(null);
          }
        });
    return held;
  }

  /** Releases the responses, after at least one request. */
  void release() {
    loop.runOnContext(v -> gate.tryComplete());
  }

  /** A correct service that responds once it has received a number of requests. */
  static BrokenService untilSeen(int requests) {
    return new BrokenService(Mode.CORRECT, inFlight -> true, posts -> posts >= requests);
  }

  String url() {
    return "http://127.0.0.1:" + server.actualPort();
  }

  /** The command line of a load on this service, with further options separated by spaces. */
  String[] args(String options) {
    return ("--json --url " + url() + " " + options).split(" ");
  }

  @Override
  public void close() {
    vertx.close().await();
  }

  private void handle(HttpServerRequest request) {
    String path = request.path();
    if (path.equals("/stats")) {
      statsReads.incrementAndGet();
      send(request.response(), mode == Mode.PSP_UNAVAILABLE ? 503 : 200, stats());
    } else if (path.equals("/charges")) {
      String key = request.getParam("idempotency_key");
      JsonArray found = new JsonArray();
      charges.values().stream()
          .filter(charge -> key.equals(charge.getString("idempotency_key")))
          .forEach(found::add);
      send(request.response(), 200, new JsonObject().put("data", found));
    } else if (path.startsWith("/charges/")) {
      JsonObject charge = charges.get(path.substring("/charges/".length()));
      send(request.response(), charge == null ? 404 : 200, charge);
    } else if (mode == Mode.NO_PAYMENTS_API) {
      send(request.response(), 404, new JsonObject());
    } else if (request.method().equals(HttpMethod.GET)) {
      list(request);
    } else {
      post(request);
    }
  }

  private JsonObject stats() {
    foreignCharges += mode == Mode.OTHER_USERS_CHARGE ? 1 : 0;
    Map<String, Integer> ofKey = new HashMap<>();
    charges.values().forEach(c -> ofKey.merge(c.getString("idempotency_key"), 1, Integer::sum));
    int most = ofKey.values().stream().mapToInt(n -> n).max().orElse(0);
    return new JsonObject()
        .put("charges", charges.size() + foreignCharges)
        .put("max_charges_per_key", most)
        .put("duplicates_suppressed", 0);
  }

  private void list(HttpServerRequest request) {
    String key = request.getParam("idempotency_key");
    if (mode == Mode.CANNOT_BE_AUDITED && key != null) {
      send(request.response(), 500, new JsonObject());
      return;
    }
    List<JsonObject> found = payments.getOrDefault(String.valueOf(key), List.of());
    JsonArray data = new JsonArray();
    found.stream().map(this::listed).forEach(data::add);
    boolean more = mode == Mode.LIST_NEVER_ENDS && key != null;
    if (mode == Mode.LISTS_ONE_AT_A_TIME && !found.isEmpty()) {
      String after = request.getParam("starting_after");
      int next = 0;
      while (after != null && !found.get(next++).getString("id").equals(after)) {}
      data = new JsonArray();
      if (next < found.size()) {
        data.add(found.get(next));
      }
      more = next + 1 < found.size();
    }
    send(request.response(), 200, new JsonObject().put("data", data).put("has_more", more));
  }

  private JsonObject listed(JsonObject payment) {
    return switch (mode) {
      case LISTS_ANOTHER_CHARGE ->
          payment.copy().put("psp_charge", "another_" + payment.getString("psp_charge"));
      case LISTS_AS_CANCELED -> payment.copy().put("status", "canceled");
      default -> payment;
    };
  }

  private void post(HttpServerRequest request) {
    loop = vertx.getOrCreateContext();
    posts.incrementAndGet();
    inFlight++;
    maxInFlight.accumulateAndGet(inFlight, Math::max);
    if (gateOpens.test(inFlight) && gateOpensByPosts.test(posts.get())) {
      gate.tryComplete();
    }
    HttpServerResponse response = request.response();
    response.exceptionHandler(cause -> {});
    response.closeHandler(
        closed -> {
          if (!response.ended()) {
            inFlight--;
          }
        });
    lastAuthorization = String.valueOf(request.getHeader("Authorization"));
    String key = request.getHeader("Idempotency-Key");
    request.body().onSuccess(body -> respond(key, new JsonObject(body), response));
  }

  private void respond(String key, JsonObject body, HttpServerResponse response) {
    int number = received.merge(key, 1, Integer::sum);
    lastMethod = body.getString("payment_method");
    switch (mode) {
      case ALWAYS_503 -> finish(response, 503, new JsonObject().put("retryable", true));
      case CONFLICT_BEFORE_RESPONSE -> {
        if (number == 2) {
          JsonObject problem = new JsonObject().put("type", "/problems/request-in-progress");
          finish(response, 409, problem.put("retryable", true));
        } else {
          execute(key, body, number, response);
        }
      }
      case SOME_WITHOUT_RESPONSE -> {
        if (!key.endsWith("3")) {
          execute(key, body, number, response);
        }
      }
      case REFUSES_DUPLICATES -> {
        if (number == 1) {
          execute(key, body, number, response);
        } else {
          finish(response, 422, new JsonObject().put("type", "/problems/reused"));
        }
      }
      case REFUSES_WITH_MARKUP -> {
        String type = "</pre><script>alert(1)</script>&$1@@data@@";
        finish(response, 422, new JsonObject().put("type", type));
      }
      case REFUSES_WITH_ESCAPES -> {
        String type = "\u001b[2J\u009b31m\r" + "x".repeat(10_000);
        finish(response, 422, new JsonObject().put("type", type));
      }
      default -> execute(key, body, number, response);
    }
  }

  private void execute(String key, JsonObject body, int number, HttpServerResponse response) {
    boolean twice = mode == Mode.EXECUTES_TWICE || mode == Mode.LISTS_ONE_AT_A_TIME;
    boolean again = twice && number == 2;
    boolean owner = again || !results.containsKey(key);
    if (owner) {
      Promise<JsonObject> promise = Promise.promise();
      results.put(key, promise);
      charge(key, body).onSuccess(id -> promise.complete(store(key, body, id)));
    } else if (mode != Mode.MARKS_NO_REPLAY) {
      response.putHeader("Idempotent-Replayed", "true");
    }
    results
        .get(key)
        .future()
        .onSuccess(
            payment -> {
              JsonObject sent = payment.copy();
              headers(response, number);
              if (mode == Mode.RESPONSES_DIFFER && number == 2) {
                sent.put("description", "another response");
              }
              finish(response, 201, sent);
            });
  }

  private void headers(HttpServerResponse response, int number) {
    response.putHeader("Location", "/v1/payments/1").putHeader("Vary", "a, b");
    if (mode == Mode.HEADERS_DIFFER) {
      response.putHeader("Location", "/v1/payments/" + number);
    } else if (mode == Mode.HEADERS_OF_THE_MOMENT) {
      for (String name :
          List.of("Date", "Preference-Applied", "X-Request-Id", "traceparent", "Set-Cookie")) {
        response.putHeader(name, "" + number);
      }
      for (String name : List.of("Via", "Server", "Age", "Keep-Alive", "Alt-Svc")) {
        response.putHeader(name, "" + number);
      }
    }
  }

  private Future<String> charge(String key, JsonObject body) {
    String id = charged(body, "derived from " + key);
    if (mode == Mode.CHARGES_TWICE) {
      charged(body, "another from " + key);
    } else if (mode == Mode.CHARGES_TWICE_UNDER_A_KEY) {
      charged(body, "derived from " + key);
    } else if (mode == Mode.SHARES_A_CHARGE) {
      id = "ch_0";
    }
    String method = body.getString("payment_method");
    return gate.future()
        .compose(
            open ->
                method.startsWith("pm_slow_")
                    ? vertx.timer(Long.parseLong(method.substring("pm_slow_".length())))
                    : Future.succeededFuture())
        .map(id);
  }

  private String charged(JsonObject body, String key) {
    String id = "ch_" + nextId++;
    JsonObject charge = new JsonObject().put("id", id).put("amount", body.getLong("amount"));
    charges.put(id, charge.put("idempotency_key", key));
    return id;
  }

  private JsonObject store(String key, JsonObject body, String charge) {
    JsonObject payment = new JsonObject().put("id", "pay_" + nextId++);
    long amount = body.getLong("amount") + (mode == Mode.STORES_ANOTHER_AMOUNT ? 1 : 0);
    payment.put("amount", amount).put("currency", "EUR").put("psp_charge", charge);
    payment.put("status", "succeeded");
    if (mode != Mode.LOSES_A_PAYMENT || !key.endsWith("3")) {
      payments.computeIfAbsent(key, k -> new ArrayList<>()).add(payment);
    }
    return payment;
  }

  private void finish(HttpServerResponse response, int status, JsonObject body) {
    if (!response.closed()) {
      inFlight--;
      send(response, status, body);
    }
  }

  private static void send(HttpServerResponse response, int status, JsonObject body) {
    Buffer bytes = body == null ? Buffer.buffer() : body.toBuffer();
    response.setStatusCode(status).putHeader("Content-Type", "application/json").end(bytes);
  }
}
