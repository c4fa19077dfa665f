package dev.latchkey.psp;

import dev.latchkey.psp.PspAnswer.Approved;
import dev.latchkey.psp.PspAnswer.Declined;
import dev.latchkey.psp.PspAnswer.Invalid;
import dev.latchkey.psp.PspAnswer.KeyReused;
import dev.latchkey.psp.PspAnswer.NotFound;
import dev.latchkey.psp.PspAnswer.Refused;
import dev.latchkey.psp.PspAnswer.Unavailable;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import java.time.Instant;

/** Writes the PSP's answers. A caller that went away is no error. */
final class PspResponses {
  private PspResponses() {}

  static void write(HttpServerResponse response, PspCall call, PspAnswer answer) {
    if (answer instanceof Approved approved) {
      JsonObject json = json(approved.charge());
      approved.refund().ifPresent(refund -> json.put("refund", AnswerJson.encode(refund)));
      boolean creates = call instanceof PspCall.Charge || call instanceof PspCall.Refund;
      write(response, creates ? 201 : 200, json);
    } else if (answer instanceof Declined declined) {
      JsonObject more = new JsonObject().put("decline_code", declined.declineCode());
      problem(response, 402, "the card was declined: " + declined.declineCode(), more);
    } else if (answer instanceof Refused refused) {
      problem(response, 409, refused.detail());
    } else if (answer instanceof NotFound notFound) {
      problem(response, 404, notFound.detail());
    } else if (answer instanceof Invalid invalid) {
      problem(response, 400, invalid.detail());
    } else if (answer instanceof KeyReused reused) {
      problem(response, 422, reused.detail());
    } else if (answer instanceof Unavailable unavailable) {
      problem(response, 503, unavailable.detail());
    } else if (!response.closed()) {
      // The reply is to be lost: the connection breaks (HTTP/2: the stream).
      response.reset();
    }
  }

  static JsonObject json(SimulatedCharge charge) {
    return new JsonObject()
        .put("id", charge.id())
        .put("object", "charge")
        .put("amount", charge.amount())
        .put("currency", charge.currency())
        .put("status", charge.status().text())
        .put("captured_amount", charge.capturedAmount())
        .put("refunded_amount", charge.refundedAmount())
        .put("payment_method", charge.paymentMethod())
        .put("disputed", charge.disputed())
        .put("idempotency_key", charge.idempotencyKey())
        .put("created_at", Instant.ofEpochMilli(charge.createdAtMillis()).toString());
  }

  static JsonObject json(PspStats stats) {
    return new JsonObject()
        .put("charges", stats.charges())
        .put("captured", stats.captured())
        .put("refunds", stats.refunds())
        .put("declined", stats.declined())
        .put("duplicates_suppressed", stats.duplicatesSuppressed())
        .put("max_charges_per_key", stats.maxChargesPerKey());
  }

  static void problem(HttpServerResponse response, int status, String detail) {
    problem(response, status, detail, new JsonObject());
  }

  private static void problem(
      HttpServerResponse response, int status, String detail, JsonObject more) {
    JsonObject json =
        new JsonObject()
            .put("type", "about:blank")
            .put("title", HttpResponseStatus.valueOf(status).reasonPhrase())
            .put("status", status)
            .put("detail", detail)
            .mergeIn(more);
    if (!response.closed()) {
      if (status == 503) {
        response.putHeader("Retry-After", "1");
      }
      response.putHeader("Content-Type", "application/problem+json");
      response.setStatusCode(status).end(json.toBuffer());
    }
  }

  static void write(HttpServerResponse response, int status, JsonObject json) {
    if (!response.closed()) {
      response.putHeader("Content-Type", "application/json");
      response.setStatusCode(status).end(json.toBuffer());
    }
  }
}
