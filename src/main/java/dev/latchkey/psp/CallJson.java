package dev.latchkey.psp;

import dev.latchkey.psp.PspCall.Cancel;
import dev.latchkey.psp.PspCall.Capture;
import dev.latchkey.psp.PspCall.Charge;
import dev.latchkey.psp.PspCall.Dispute;
import dev.latchkey.psp.PspCall.Refund;
import io.vertx.core.json.JsonObject;
import java.util.OptionalLong;

/** Calls as the journal keeps them. */
final class CallJson {
  private CallJson() {}

  static JsonObject encode(PspCall call) {
    if (call instanceof Charge charge) {
      return new JsonObject()
          .put("op", "charge")
          .put("amount", charge.amount())
          .put("currency", charge.currency())
          .put("payment_method", charge.paymentMethod())
          .put("capture", charge.capture());
    }
    if (call instanceof Capture capture) {
      return on("capture", capture.charge(), capture.amount());
    }
    if (call instanceof Refund refund) {
      return on("refund", refund.charge(), refund.amount()).put("by_psp", refund.byPsp());
    }
    return call instanceof Cancel cancel
        ? on("cancel", cancel.charge(), OptionalLong.empty())
        : on("dispute", ((Dispute) call).charge(), OptionalLong.empty());
  }

  static PspCall decode(JsonObject json) {
    String charge = json.getString("charge", "");
    return switch (json.getString("op")) {
      case "charge" ->
          new Charge(
              json.getLong("amount"),
              json.getString("currency"),
              json.getString("payment_method"),
              json.getBoolean("capture"));
      case "capture" -> new Capture(charge, amount(json));
      case "refund" -> new Refund(charge, amount(json), json.getBoolean("by_psp"));
      case "cancel" -> new Cancel(charge);
      case "dispute" -> new Dispute(charge);
      default -> throw new IllegalArgumentException("call " + json.getString("op"));
    };
  }

  static OptionalLong amount(JsonObject json) {
    return json.containsKey("amount")
        ? OptionalLong.of(json.getLong("amount"))
        : OptionalLong.empty();
  }

  private static JsonObject on(String op, String charge, OptionalLong amount) {
    JsonObject json = new JsonObject().put("op", op).put("charge", charge);
    amount.ifPresent(value -> json.put("amount", value));
    return json;
  }
}
