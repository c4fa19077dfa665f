package dev.latchkey.payments;

import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.ledger.Balance;
import dev.latchkey.ledger.Customer;
import dev.latchkey.ledger.Metadata;
import dev.latchkey.ledger.Page;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.ledger.PaymentState;
import dev.latchkey.ledger.Refund;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The JSON bodies of responses, with members in the order of the documentation. Pure. */
final class ApiJson {

  private static final Pattern PATH_PARAMETER = Pattern.compile(":([a-zA-Z_][a-zA-Z0-9_]*)");

  private ApiJson() {}

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

  static <T> JsonObject page(Page<T> page, Function<T, JsonObject> element) {
    JsonArray data = new JsonArray();
    page.data().forEach(it -> data.add(element.apply(it)));
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

  static JsonObject customer(Customer customer) {
    return new JsonObject()
        .put("id", customer.id())
        .put("object", "customer")
        .put("name", customer.name().orElse(null))
        .put("email", customer.email().orElse(null))
        .put("created_at", Rfc3339.text(customer.createdAtEpochMillis()))
        .put("updated_at", Rfc3339.text(customer.updatedAtEpochMillis()))
        .put("version", customer.version());
  }

  static JsonObject keys(List<KeyRecord> records) {
    JsonArray data = new JsonArray();
    records.forEach(record -> data.add(key(record)));
    return new JsonObject().put("data", data);
  }

  private static JsonObject key(KeyRecord record) {
    // KeyScope writes method and template with a space between them.
    String[] route = record.key().route().split(" ", 2);
    String template = PATH_PARAMETER.matcher(route[route.length - 1]).replaceAll("{$1}");
    return new JsonObject()
        .put("key", record.key().key())
        .put("method", route[0])
        .put("route", template)
        .put("state", record.phase().name().toLowerCase(Locale.ROOT))
        .put("attempt", record.attempt())
        .put("status", record.status().isPresent() ? record.status().getAsInt() : null)
        .put("resource", record.location().orElse(null))
        .put("created_at", Rfc3339.text(record.createdAtEpochMillis()))
        .put("expires_at", Rfc3339.text(record.expiresAtEpochMillis()));
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
