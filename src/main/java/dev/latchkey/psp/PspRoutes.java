package dev.latchkey.psp;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The PSP's paths. Stateless, safe for use by any event loop. */
final class PspRoutes implements Handler<HttpServerRequest> {
  static final int MAX_BODY_BYTES = 64 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(PspRoutes.class);

  private final PspSimulator simulator;

  PspRoutes(PspSimulator simulator) {
    this.simulator = simulator;
  }

  /** Reads a body into a call. */
  @FunctionalInterface
  private interface BodyReader {
    PspBody.Read read(Buffer body);
  }

  @Override
  public void handle(HttpServerRequest request) {
    // A broken connection is the caller's business; the call goes on.
    request.exceptionHandler(gone -> LOG.debug("a caller went away: {}", gone.getMessage()));
    request.response().exceptionHandler(gone -> LOG.debug("a caller went away"));
    List<String> path = path(request);
    switch (path.get(0)) {
      case "charges" -> charges(request, path);
      case "stats" -> stats(request, path);
      case "health" -> health(request, path);
      default -> notFound(request);
    }
  }

  /** The path's segments; an empty one for a target that is no path, such as {@code *}. */
  private static List<String> path(HttpServerRequest request) {
    String path = request.path();
    return path == null || !path.startsWith("/")
        ? List.of("")
        : List.of(path.substring(1).split("/", -1));
  }

  private void charges(HttpServerRequest request, List<String> path) {
    if (path.size() == 1) {
      if (HttpMethod.POST.equals(request.method())) {
        post(request, true, PspBody::charge);
      } else {
        get(request, "GET, POST", () -> list(request));
      }
    } else if (path.size() == 2) {
      get(request, "GET", () -> charge(request, path.get(1)));
    } else if (path.size() == 3) {
      operation(request, path.get(1), path.get(2));
    } else {
      notFound(request);
    }
  }

  private void operation(HttpServerRequest request, String charge, String operation) {
    Optional<BodyReader> reader =
        switch (operation) {
          case "capture" -> Optional.of(body -> PspBody.capture(charge, body));
          case "cancel" -> Optional.of(body -> PspBody.cancel(charge, body));
          case "refund" -> Optional.of(body -> PspBody.refund(charge, body));
          case "dispute" -> Optional.of(body -> PspBody.dispute(charge, body));
          default -> Optional.empty();
        };
    if (reader.isEmpty()) {
      notFound(request);
    } else if (!HttpMethod.POST.equals(request.method())) {
      methodNotAllowed(request, "POST");
    } else {
      post(request, !operation.equals("dispute"), reader.get());
    }
  }

  private void post(HttpServerRequest request, boolean needsKey, BodyReader reader) {
    PspKeyHeader key = PspKeyHeader.parse(request.headers().getAll(PspKeyHeader.NAME));
    if (key instanceof PspKeyHeader.Malformed) {
      PspResponses.problem(
          request.response(), 400, "Idempotency-Key is not 1 to 255 printable characters, once");
    } else if (key instanceof PspKeyHeader.Missing && needsKey) {
      PspResponses.problem(request.response(), 400, "Idempotency-Key is missing");
    } else {
      Optional<String> value =
          key instanceof PspKeyHeader.Key given ? Optional.of(given.value()) : Optional.empty();
      BoundedBody.read(request, MAX_BODY_BYTES, body -> call(request, value, reader.read(body)));
    }
  }

  private void call(HttpServerRequest request, Optional<String> key, PspBody.Read read) {
    if (read instanceof PspBody.Read.Sound sound) {
      PspCall call = sound.call();
      answer(
          request,
          simulator.call(key, call),
          answer -> PspResponses.write(request.response(), call, answer));
    } else if (read instanceof PspBody.Read.Faulty faulty) {
      PspResponses.problem(request.response(), 400, faulty.detail());
    }
  }

  private void list(HttpServerRequest request) {
    Optional<String> key = keyParameter(request);
    if (key.isEmpty()) {
      PspResponses.problem(request.response(), 400, "idempotency_key is missing or malformed");
      return;
    }
    answer(
        request,
        simulator.chargesOf(key.get()),
        charges -> {
          JsonArray data = new JsonArray();
          charges.forEach(charge -> data.add(PspResponses.json(charge)));
          PspResponses.write(request.response(), 200, new JsonObject().put("data", data));
        });
  }

  private static Optional<String> keyParameter(HttpServerRequest request) {
    try {
      return Optional.ofNullable(request.getParam("idempotency_key")).filter(k -> !k.isEmpty());
    } catch (IllegalArgumentException malformedEscape) {
      return Optional.empty();
    }
  }

  private void charge(HttpServerRequest request, String id) {
    answer(
        request,
        simulator.charge(id),
        charge ->
            charge.ifPresentOrElse(
                found -> PspResponses.write(request.response(), 200, PspResponses.json(found)),
                () -> PspResponses.problem(request.response(), 404, "no such charge is known")));
  }

  private void stats(HttpServerRequest request, List<String> path) {
    if (path.size() > 1) {
      notFound(request);
      return;
    }
    get(
        request,
        "GET",
        () ->
            answer(
                request,
                simulator.stats(),
                stats -> PspResponses.write(request.response(), 200, PspResponses.json(stats))));
  }

  private void health(HttpServerRequest request, List<String> path) {
    if (path.size() == 2 && path.get(1).equals("live")) {
      JsonObject live = new JsonObject().put("status", "live");
      get(request, "GET", () -> PspResponses.write(request.response(), 200, live));
    } else {
      notFound(request);
    }
  }

  private void get(HttpServerRequest request, String allowed, Runnable action) {
    if (!HttpMethod.GET.equals(request.method())) {
      methodNotAllowed(request, allowed);
      return;
    }
    action.run();
  }

  /** Writes on the request's own event loop, wherever the value was made. */
  private <T> void answer(HttpServerRequest request, Future<T> value, Consumer<T> write) {
    Context context = Vertx.currentContext();
    value.onComplete(
        done ->
            context.runOnContext(
                now -> {
                  if (done.succeeded()) {
                    write.accept(done.result());
                  } else {
                    String detail = "the journal cannot be written; restart the PSP";
                    PspResponses.problem(request.response(), 503, detail);
                  }
                }));
  }

  private void methodNotAllowed(HttpServerRequest request, String allowed) {
    request.response().putHeader("Allow", allowed);
    PspResponses.problem(request.response(), 405, "this path takes " + allowed + " only");
  }

  private void notFound(HttpServerRequest request) {
    PspResponses.problem(request.response(), 404, "no such path");
  }
}
