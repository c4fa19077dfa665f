package dev.latchkey.nodes;

import dev.latchkey.testing.servers.Database;

/** Reads the rows that nodes wrote. */
record DatabaseRows(Database database) {

  boolean isClaimed(String key) {
    return number("SELECT count(*) FROM latchkey_key WHERE key = '" + key + "'") == 1;
  }

  boolean isAwaited(String key) {
    String sql = "SELECT bool_or(awaited) FROM latchkey_key WHERE key = '" + key + "'";
    return "t".equals(database.value(sql));
  }

  long payments(String key) {
    return number("SELECT count(*) FROM ledger_payments WHERE idempotency_key = '" + key + "'");
  }

  long events(String key) {
    return number(
        "SELECT count(*) FROM outbox_events e JOIN ledger_payments p ON p.id = e.payment"
            + " WHERE p.idempotency_key = '"
            + key
            + "'");
  }

  long number(String sql) {
    return Long.parseLong(database.value(sql));
  }
}
