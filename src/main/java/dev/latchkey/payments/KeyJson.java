package dev.latchkey.payments;

import dev.latchkey.core.spi.KeyRecord;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What a client reads about a key; members in the order of the documentation. Pure. */
final class KeyJson {

  private static final Pattern PARAMETER = Pattern.compile(":([a-zA-Z_][a-zA-Z0-9_]*)");

  private KeyJson() {}

  static JsonObject records(List<KeyRecord> records) {
    JsonArray data = new JsonArray();
    records.forEach(record -> data.add(record(record)));
    return new JsonObject().put("data", data);
  }

  private static JsonObject record(KeyRecord record) {
    // KeyScope writes method and template, with a space between.
    String[] route = record.key().route().split(" ", 2);
    return new JsonObject()
        .put("key", record.key().key())
        .put("method", route[0])
        .put("route", template(route[route.length - 1]))
        .put("state", record.phase().name().toLowerCase(Locale.ROOT))
        .put("attempt", record.attempt())
        .put("status", record.status().isPresent() ? record.status().getAsInt() : null)
        .put("resource", record.location().orElse(null))
        .put("created_at", Rfc3339.text(record.createdAtEpochMillis()))
        .put("expires_at", Rfc3339.text(record.expiresAtEpochMillis()));
  }

  /** A template as the documentation writes it: {@code {id}} for {@code :id}. */
  private static String template(String route) {
    return PARAMETER.matcher(route).replaceAll("{$1}");
  }
}
