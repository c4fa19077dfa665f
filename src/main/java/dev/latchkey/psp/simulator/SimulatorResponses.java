package dev.latchkey.psp.simulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.psp.PspCall;
import dev.latchkey.psp.PspJson;
import dev.latchkey.psp.PspResult.PspRefund;
import dev.latchkey.psp.simulator.SimulatorResult.Approved;
import dev.latchkey.psp.simulator.SimulatorResult.Declined;
import dev.latchkey.psp.simulator.SimulatorResult.Problem;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes the responses of the simulator. Stateless. */
final class SimulatorResponses {

  private static final JsonMapper MAPPER = PspJson.strict().build();

  private SimulatorResponses() {}

  /** Writes on the request's event loop, on whichever thread the value completes. */
  static <T> void respond(RoutingContext ctx, Future<T> value, Consumer<T> writer) {
    Context context = ctx.vertx().getOrCreateContext();
    value.onComplete(
        done ->
            context.runOnContext(
                now -> {
                  if (done.succeeded()) {
                    writer.accept(done.result());
                  } else {
                    problem(ctx, 503, "the journal cannot be written; restart the PSP", null);
                  }
                }));
  }

  static void write(RoutingContext ctx, PspCall call, SimulatorResult result) {
    if (result instanceof Approved approved) {
      ObjectNode json = MAPPER.valueToTree(approved.charge());
      PspRefund refund = approved.refund();
      if (refund != null) {
        json.set("refund", MAPPER.valueToTree(refund));
      }
      boolean creates = call instanceof PspCall.Charge || call instanceof PspCall.Refund;
      write(ctx, creates ? 201 : 200, json);
    } else if (result instanceof Declined declined) {
      problem(ctx, 402, "the card was declined", declined.declineCode());
    } else if (result instanceof Problem problem) {
      problem(ctx, problem.status(), problem.detail(), null);
    } else if (!ctx.response().closed()) {
      // The response is lost: the connection breaks (HTTP/2: the stream).
      ctx.response().reset();
    }
  }

  static void fail(RoutingContext ctx, int status) {
    String detail =
        ctx.failure() instanceof HttpException e && e.getPayload() != null
            ? e.getPayload()
            : HttpResponseStatus.valueOf(status).reasonPhrase();
    problem(ctx, status, detail, null);
  }

  /** An RFC 9457 problem. */
  private record ProblemBody(
      String type, String title, int status, String detail, @Nullable String declineCode) {}

  static void problem(RoutingContext ctx, int status, String detail, @Nullable String declineCode) {
    if (status == 503) {
      ctx.response().putHeader("Retry-After", "1");
    }
    ctx.response().putHeader("Content-Type", "application/problem+json");
    String title = HttpResponseStatus.valueOf(status).reasonPhrase();
    write(ctx, status, new ProblemBody("about:blank", title, status, detail, declineCode));
  }

  static void write(RoutingContext ctx, int status, Object json) {
    HttpServerResponse response = ctx.response();
    if (response.closed() || response.ended()) {
      return;
    }
    if (!response.headers().contains("Content-Type")) {
      response.putHeader("Content-Type", "application/json");
    }
    try {
      response.setStatusCode(status).end(Buffer.buffer(MAPPER.writeValueAsBytes(json)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
