package dev.latchkey.psp.simulator;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.latchkey.psp.PspCall;
import dev.latchkey.psp.PspJson;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.HttpException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The HTTP API of the simulator. Stateless, safe for use by any event loop. */
final class SimulatorRoutes {
  static final int MAX_BODY_BYTES = 64 << 10;

  private static final JsonMapper MAPPER = PspJson.strict().build();

  private final PspSimulator simulator;

  /** The body of a new charge. */
  private record ChargeBody(
      @JsonProperty(required = true) long amount,
      @JsonProperty(required = true) String currency,
      @JsonProperty(required = true) String paymentMethod,
      @Nullable Boolean capture) {

    private PspCall call() {
      return new PspCall.Charge(amount, currency, paymentMethod, capture == null || capture);
    }
  }

  private record CaptureBody(@Nullable Long amount) {}

  private record RefundBody(@Nullable Long amount, @Nullable Source source) {}

  private enum Source {
    @JsonProperty("psp")
    PSP
  }

  private record EmptyBody() {}

  private SimulatorRoutes(PspSimulator simulator) {
    this.simulator = simulator;
  }

  static Router create(Vertx vertx, PspSimulator simulator) {
    return new SimulatorRoutes(simulator).router(vertx);
  }

  private Router router(Vertx vertx) {
    Router router = Router.router(vertx);
    router.route().handler(BodyHandler.create(false).setBodyLimit(MAX_BODY_BYTES));
    router.route().failureHandler(ctx -> SimulatorResponses.fail(ctx, ctx.statusCode()));
    for (int status : new int[] {400, 404, 405}) {
      router.errorHandler(status, ctx -> SimulatorResponses.fail(ctx, status));
    }
    post(router, "/charges", ChargeBody.class, (id, body) -> body.call());
    post(
        router,
        "/charges/:id/capture",
        CaptureBody.class,
        (id, body) -> new PspCall.Capture(id, body.amount()));
    post(router, "/charges/:id/cancel", EmptyBody.class, (id, body) -> new PspCall.Cancel(id));
    post(
        router,
        "/charges/:id/refund",
        RefundBody.class,
        (id, body) -> new PspCall.Refund(id, body.amount(), body.source() != null));
    post(router, "/charges/:id/dispute", EmptyBody.class, (id, body) -> new PspCall.Dispute(id));
    router.get("/charges").handler(this::list);
    router.get("/charges/:id").handler(this::charge);
    router
        .get("/stats")
        .handler(
            ctx ->
                SimulatorResponses.respond(
                    ctx, simulator.stats(), stats -> SimulatorResponses.write(ctx, 200, stats)));
    router
        .get("/health/live")
        .handler(ctx -> SimulatorResponses.write(ctx, 200, Map.of("status", "live")));
    return router;
  }

  private <T> void post(
      Router router, String path, Class<T> bodyType, BiFunction<String, T, PspCall> toCall) {
    router
        .post(path)
        .handler(
            ctx -> {
              Optional<String> key = key(ctx);
              String id = Optional.ofNullable(ctx.pathParam("id")).orElse("");
              PspCall call = toCall.apply(id, body(ctx, bodyType));
              SimulatorResponses.respond(
                  ctx,
                  simulator.call(key.orElse(null), call),
                  result -> SimulatorResponses.write(ctx, call, result));
            });
  }

  private static Optional<String> key(RoutingContext ctx) {
    try {
      return IdempotencyKeyHeader.parse(ctx.request().headers().getAll(IdempotencyKeyHeader.NAME));
    } catch (IllegalArgumentException e) {
      throw new HttpException(400, e.getMessage());
    }
  }

  private static <T> T body(RoutingContext ctx, Class<T> type) {
    Buffer body = Optional.ofNullable(ctx.body().buffer()).orElseGet(Buffer::buffer);
    String contentType = ctx.request().getHeader("Content-Type");
    boolean isJson =
        contentType == null
            || contentType.split(";", 2)[0].strip().equalsIgnoreCase("application/json");
    if (body.length() > 0 && !isJson) {
      throw new HttpException(415, "the body is not application/json");
    }
    try {
      T value =
          MAPPER.readValue(body.length() == 0 ? new byte[] {'{', '}'} : body.getBytes(), type);
      if (value != null) {
        return value;
      }
    } catch (JsonMappingException e) {
      String member = e.getPath().isEmpty() ? "" : e.getPath().get(0).getFieldName() + " ";
      throw new HttpException(
          400, "the body has an unknown, missing or invalid member " + member, e);
    } catch (IOException e) {
      throw new HttpException(400, "the body is not valid JSON", e);
    }
    throw new HttpException(400, "the body is not a JSON object");
  }

  private void list(RoutingContext ctx) {
    List<String> keys = ctx.queryParam("idempotency_key");
    if (keys.isEmpty() || keys.get(0).isEmpty()) {
      throw new HttpException(400, "the parameter idempotency_key is missing");
    }
    SimulatorResponses.respond(
        ctx,
        simulator.chargesOf(keys.get(0)),
        charges -> SimulatorResponses.write(ctx, 200, Map.of("data", charges)));
  }

  private void charge(RoutingContext ctx) {
    SimulatorResponses.respond(
        ctx,
        simulator.charge(ctx.pathParam("id")),
        charge ->
            charge.ifPresentOrElse(
                found -> SimulatorResponses.write(ctx, 200, found),
                () -> SimulatorResponses.problem(ctx, 404, "no such charge", null)));
  }
}
