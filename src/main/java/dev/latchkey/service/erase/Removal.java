package dev.latchkey.service.erase;

import io.vertx.core.Future;
import io.vertx.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One record whose personal data can be removed.
 *
 * @param line names the record and the data, without showing the data
 * @param action removes it
 */
record Removal(String line, Supplier<Future<?>> action) {

  /** Returns the removal of a payment's data; empty if it has none. */
  static Optional<Removal> ofPayment(
      String id,
      boolean customer,
      boolean description,
      boolean metadata,
      Supplier<Future<?>> action) {
    List<String> parts = new ArrayList<>();
    if (customer) {
      parts.add("customer");
    }
    if (description) {
      parts.add("description");
    }
    if (metadata) {
      parts.add("metadata");
    }
    return parts.isEmpty()
        ? Optional.empty()
        : Optional.of(new Removal("payment " + id + ": " + String.join(", ", parts), action));
  }

  static Removal ofCustomer(String id, Supplier<Future<?>> action) {
    return new Removal("customer " + Json.encode(id) + ": name, email", action);
  }

  /** The place is the kind of record. */
  static Removal ofResponse(String place, String key, String route, Supplier<Future<?>> action) {
    return new Removal(
        place + " " + Json.encode(key) + " of " + route + ": stored response", action);
  }
}
