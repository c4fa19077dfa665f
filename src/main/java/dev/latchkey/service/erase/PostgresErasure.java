package dev.latchkey.service.erase;

import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Finds personal data in Postgres. Blocks, so it is for the thread of a command only. */
final class PostgresErasure {

  /** A page of records is at most 20 MiB. */
  private static final int PAGE = 20;

  private static final String NOW = "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

  private static final String ERASE_PAYMENT =
      "UPDATE ledger_payments SET customer = NULL, description = NULL, metadata = '{}',"
          + " version = version + 1, updated_at_ms = greatest(updated_at_ms, "
          + NOW
          + ") WHERE id = $1";

  /** Events hold a copy; the check of the table wants metadata where there was some. */
  private static final String ERASE_EVENTS =
      "UPDATE outbox_events SET description = NULL, metadata = '{}'"
          + " WHERE payment = $1 AND metadata IS NOT NULL";

  private final PgConnection connection;

  PostgresErasure(PgConnection connection) {
    this.connection = connection;
  }

  /** Adds the subject's payments to a set, and returns what can be removed from the ledger. */
  List<Removal> ledger(Subject subject, Set<String> payments) {
    List<Removal> removals = new ArrayList<>();
    String column = subject.isCustomer() ? "customer" : "idempotency_key";
    for (Row row :
        query(
            "SELECT id, customer IS NOT NULL, description IS NOT NULL, metadata <> '{}'"
                + " FROM ledger_payments WHERE tenant = $1 AND "
                + column
                + " = $2 ORDER BY booking",
            Tuple.of(subject.tenant(), subject.id()))) {
      String id = row.getString(0);
      payments.add(id);
      Removal.ofPayment(
              id, row.getBoolean(1), row.getBoolean(2), row.getBoolean(3), () -> erase(id))
          .ifPresent(removals::add);
    }
    Tuple customer = Tuple.of(subject.tenant(), subject.id());
    String where = " FROM ledger_customers WHERE tenant = $1 AND id = $2";
    if (subject.isCustomer() && query("SELECT 1" + where, customer).size() > 0) {
      removals.add(Removal.ofCustomer(subject.id(), () -> execute("DELETE" + where, customer)));
    }
    return removals;
  }

  private Future<?> erase(String payment) {
    return connection
        .begin()
        .compose(
            transaction ->
                execute(ERASE_PAYMENT, Tuple.of(payment))
                    .compose(done -> execute(ERASE_EVENTS, Tuple.of(payment)))
                    .compose(done -> transaction.commit()));
  }

  /** Returns the stored responses that can be removed, of keys and of receipts. */
  List<Removal> responses(Subject subject, Set<String> payments) {
    List<Removal> removals = new ArrayList<>();
    find("key", "latchkey_key", subject, payments, removals);
    find("receipt", "latchkey_receipt", subject, payments, removals);
    return removals;
  }

  private void find(
      String place, String table, Subject subject, Set<String> payments, List<Removal> into) {
    String sql =
        "SELECT key, route, response, md5(response) FROM "
            + table
            + " WHERE tenant = $1 AND response IS NOT NULL AND (key, route) > ($2, $3)"
            + " ORDER BY key, route LIMIT "
            + PAGE;
    String key = "";
    String route = "";
    RowSet<Row> page;
    do {
      page = query(sql, Tuple.of(subject.tenant(), key, route));
      for (Row row : page) {
        key = row.getString(0);
        route = row.getString(1);
        StoredResponse response = StoredResponseCodec.decode(row.getBuffer(2).getBytes());
        Tuple at = Tuple.of(subject.tenant(), key, route, row.getString(3));
        String label = key;
        String operation = route;
        subject
            .replacement(key, response, payments)
            .ifPresent(
                replacement ->
                    into.add(
                        Removal.ofResponse(
                            place, label, operation, () -> replace(table, at, replacement))));
      }
    } while (page.size() == PAGE);
  }

  /** A record that has changed meanwhile belongs to another request. */
  private Future<?> replace(String table, Tuple at, StoredResponse replacement) {
    return execute(
        "UPDATE "
            + table
            + " SET response = $5 WHERE tenant = $1 AND key = $2 AND route = $3"
            + " AND md5(response) = $4",
        at.addBuffer(Buffer.buffer(StoredResponseCodec.encode(replacement))));
  }

  private RowSet<Row> query(String sql, Tuple parameters) {
    return execute(sql, parameters).await();
  }

  private Future<RowSet<Row>> execute(String sql, Tuple parameters) {
    return connection.preparedQuery(sql).execute(parameters);
  }
}
