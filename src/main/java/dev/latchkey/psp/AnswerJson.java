package dev.latchkey.psp;

import dev.latchkey.psp.PspAnswer.Approved;
import dev.latchkey.psp.PspAnswer.Declined;
import dev.latchkey.psp.PspAnswer.Refused;
import dev.latchkey.psp.PspResult.PspRefund;
import dev.latchkey.psp.SimulatedCharge.Status;
import io.vertx.core.json.JsonObject;
import java.util.Locale;
import java.util.Optional;

/** Final answers and events as the journal keeps them. */
final class AnswerJson {
  private AnswerJson() {}

  static JsonObject encode(PspAnswer answer) {
    if (answer instanceof Approved approved) {
      JsonObject json = new JsonObject().put("charge", encode(approved.charge()));
      approved.refund().ifPresent(refund -> json.put("refund", encode(refund)));
      return json;
    }
    if (answer instanceof Declined declined) {
      return new JsonObject().put("declined", declined.declineCode());
    }
    if (answer instanceof Refused refused) {
      return new JsonObject().put("refused", refused.detail());
    }
    throw new IllegalArgumentException("not a final answer: " + answer);
  }

  static PspAnswer decode(JsonObject json) {
    if (json.containsKey("declined")) {
      return new Declined(json.getString("declined"));
    }
    if (json.containsKey("refused")) {
      return new Refused(json.getString("refused"));
    }
    return new Approved(
        decodeCharge(json.getJsonObject("charge")),
        Optional.ofNullable(json.getJsonObject("refund"))
            .map(refund -> new PspRefund(refund.getString("id"), refund.getLong("amount"))));
  }

  static JsonObject encode(PspEvent event) {
    JsonObject json =
        new JsonObject()
            .put("id", event.id())
            .put("type", event.type())
            .put("created", event.createdAtMillis())
            .put("charge", event.charge());
    event.amount().ifPresent(amount -> json.put("amount", amount));
    return json;
  }

  static PspEvent decodeEvent(JsonObject json) {
    return new PspEvent(
        json.getString("id"),
        json.getString("type"),
        json.getLong("created"),
        json.getString("charge"),
        CallJson.amount(json));
  }

  static JsonObject encode(PspRefund refund) {
    return new JsonObject().put("id", refund.id()).put("amount", refund.amount());
  }

  private static JsonObject encode(SimulatedCharge charge) {
    return new JsonObject()
        .put("id", charge.id())
        .put("amount", charge.amount())
        .put("currency", charge.currency())
        .put("payment_method", charge.paymentMethod())
        .put("status", charge.status().text())
        .put("captured", charge.capturedAmount())
        .put("refunded", charge.refundedAmount())
        .put("disputed", charge.disputed())
        .put("key", charge.idempotencyKey())
        .put("created", charge.createdAtMillis());
  }

  private static SimulatedCharge decodeCharge(JsonObject json) {
    return new SimulatedCharge(
        json.getString("id"),
        json.getLong("amount"),
        json.getString("currency"),
        json.getString("payment_method"),
        Status.valueOf(json.getString("status").toUpperCase(Locale.ROOT)),
        json.getLong("captured"),
        json.getLong("refunded"),
        json.getBoolean("disputed"),
        json.getString("key"),
        json.getLong("created"));
  }
}
