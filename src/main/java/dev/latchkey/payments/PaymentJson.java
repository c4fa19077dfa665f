package dev.latchkey.payments;

import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Page;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.Refund;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;

/** What a client reads; members in the order of the documentation. Pure. */
final class PaymentJson {

  private PaymentJson() {}

  static JsonObject payment(Payment payment) {
    PaymentDetails details = payment.details();
    PaymentState state = payment.state();
    return new JsonObject()
        .put("id", payment.id())
        .put("object", "payment")
        .put("amount", details.amount())
        .put("currency", details.currency())
        .put("status", state.status().text())
        .put("captured_amount", state.capturedAmount())
        .put("refunded_amount", state.refundedAmount())
        .put("payment_method", details.paymentMethod())
        .put("customer", details.customer().orElse(null))
        .put("description", details.description().orElse(null))
        .put("metadata", metadata(details.metadata()))
        .put("disputed", state.disputed())
        .put("psp_charge", payment.origin().pspCharge())
        .put("created_at", Rfc3339.text(payment.origin().createdAtEpochMillis()))
        .put("updated_at", Rfc3339.text(state.updatedAtEpochMillis()))
        .put("version", state.version());
  }

  static JsonObject refund(Refund refund) {
    return new JsonObject()
        .put("id", refund.id())
        .put("object", "refund")
        .put("payment", refund.payment())
        .put("amount", refund.amount())
        .put("reason", refund.reason().orElse(null))
        .put("status", "succeeded")
        .put("created_at", Rfc3339.text(refund.createdAtEpochMillis()));
  }

  static JsonObject page(Page page) {
    JsonArray data = new JsonArray();
    page.data().forEach(payment -> data.add(payment(payment)));
    return new JsonObject().put("data", data).put("has_more", page.hasMore());
  }

  static JsonObject balance(List<Balance> balances) {
    JsonArray data = new JsonArray();
    for (Balance balance : balances) {
      data.add(
          new JsonObject()
              .put("currency", balance.currency())
              .put("captured", balance.captured())
              .put("refunded", balance.refunded())
              .put("net", balance.net())
              .put("payments", balance.payments()));
    }
    return new JsonObject().put("data", data);
  }

  private static JsonObject metadata(Metadata metadata) {
    JsonObject json = new JsonObject();
    for (Map.Entry<String, Metadata.Value> member : metadata.members().entrySet()) {
      json.put(member.getKey(), plain(member.getValue()));
    }
    return json;
  }

  private static Object plain(Metadata.Value value) {
    if (value instanceof Metadata.Text text) {
      return text.text();
    }
    if (value instanceof Metadata.Numeric numeric) {
      return numeric.number();
    }
    if (value instanceof Metadata.Flag flag) {
      return flag.flag();
    }
    throw new IllegalArgumentException("unknown kind of value " + value.getClass());
  }
}
