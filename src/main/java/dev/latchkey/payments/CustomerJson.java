package dev.latchkey.payments;

import dev.latchkey.ledger.Customer;
import io.vertx.core.json.JsonObject;

/** What a client reads about a customer; members in the order of the documentation. Pure. */
final class CustomerJson {

  private CustomerJson() {}

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
}
