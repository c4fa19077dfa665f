package dev.latchkey.store.postgres;

import static dev.latchkey.store.postgres.StatementCase.BATCH;
import static dev.latchkey.store.postgres.StatementCase.ROUTE;
import static dev.latchkey.store.postgres.StatementCase.all;
import static dev.latchkey.store.postgres.StatementCase.batch;
import static dev.latchkey.store.postgres.StatementCase.bytes;
import static dev.latchkey.store.postgres.StatementCase.key;
import static dev.latchkey.store.postgres.StatementCase.keys;
import static dev.latchkey.store.postgres.StatementCase.newToken;
import static dev.latchkey.store.postgres.StatementCase.number;
import static dev.latchkey.store.postgres.StatementCase.token;

import dev.latchkey.store.postgres.connection.SessionSettings;
import dev.latchkey.store.postgres.effect.EffectSql;
import dev.latchkey.store.postgres.sql.PurgeSql;
import dev.latchkey.store.postgres.sql.ReceiptSql;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;

/**
 * The statements upon receipts. A receipt is expired when its number divided by 4 leaves 3. The
 * insert that decides who was first goes down the primary key, which a plan does not tell; it is
 * counted with the entries that are written.
 */
final class ReceiptCases {

  private static final Set<String> NONE = Set.of();
  private static final Set<String> RECEIPTS = Set.of("latchkey_receipt_pkey");

  /** All of them. */
  static final List<StatementCase> ALL =
      List.of(
          // Into both indexes, after a look into the unique one.
          commit("commit new receipts", BATCH * 3, size -> i -> size + 1 + i),
          commit("replace expired receipts", BATCH * 3, size -> i -> number(size, i, 3)),
          commit("commit where others were first", BATCH, size -> i -> number(size, i, 0)),
          find("find receipts", SessionSettings.STATEMENTS),
          find("find receipts after a transaction", SessionSettings.TRANSACTIONS),
          new StatementCase(
              "list receipts",
              0,
              SessionSettings.STATEMENTS,
              ReceiptSql.LIST,
              size -> Tuple.of("acme", "key_" + number(size, 7, 1), 100L),
              RECEIPTS),
          new StatementCase(
              "take a new receipt",
              3,
              SessionSettings.TRANSACTIONS,
              ReceiptSql.RESERVE,
              size -> taken(size + 1),
              NONE),
          new StatementCase(
              "take an expired receipt",
              3,
              SessionSettings.TRANSACTIONS,
              ReceiptSql.RESERVE,
              size -> taken(number(size, 7, 3)),
              NONE),
          new StatementCase(
              "answer a receipt",
              2,
              SessionSettings.TRANSACTIONS,
              StatementCase.inTransaction(ReceiptSql.FILL),
              size ->
                  key(number(size, 7, 1)).addBuffer(token(number(size, 7, 1))).addBuffer(bytes(40)),
              RECEIPTS),
          new StatementCase(
              "purge receipts",
              0,
              SessionSettings.TRANSACTIONS,
              PurgeSql.RECEIPTS,
              size -> Tuple.of((long) BATCH, 0L),
              Set.of("latchkey_receipt_expiry")));

  private ReceiptCases() {}

  /** Which rows of a table of some size a batch is about. */
  private interface Rows {
    IntUnaryOperator of(int size);
  }

  private static StatementCase commit(String name, long writtenEntries, Rows rows) {
    return new StatementCase(
        name,
        writtenEntries,
        SessionSettings.STATEMENTS,
        EffectSql.ofMany(ReceiptSql.COMMIT, 11).withoutEffects(),
        size ->
            keys(rows.of(size))
                .addValue(all(Buffer.class, bytes(32)))
                .addValue(all(Buffer.class, bytes(1)))
                .addValue(batch(Buffer.class, StatementCase::newToken))
                .addValue(all(Integer.class, 1))
                .addValue(all(Buffer.class, bytes(40)))
                .addValue(all(Long.class, 1L))
                .addValue(all(Long.class, 2_000L))
                .addValue(all(Long.class, 1_000L)),
        NONE);
  }

  private static StatementCase find(String name, SessionSettings session) {
    return new StatementCase(
        name,
        0,
        session,
        ReceiptSql.FIND,
        size ->
            keys(i -> number(size, i, i % 4))
                .addValue(batch(Buffer.class, i -> token(number(size, i, i % 4)))),
        RECEIPTS);
  }

  private static Tuple taken(int number) {
    return key(number)
        .addBuffer(bytes(32))
        .addBuffer(bytes(1))
        .addBuffer(newToken(0))
        .addInteger(1)
        .addLong(1L)
        .addLong(2_000L)
        .addLong(1_000L)
        .addString("1000")
        .addString("2000");
  }

  /** Returns what fills the table with receipts from one number to another. */
  static String rows(int from, int to) {
    return "INSERT INTO latchkey_receipt SELECT 'acme', 'key_' || i, '"
        + ROUTE
        + "', 1, 2, CASE WHEN i % 4 = 3 THEN i ELSE 1::bigint << 60 END, 1,"
        + " decode(repeat('00', 32), 'hex'), decode(lpad(to_hex(i), 32, '0'), 'hex'), '\\x00',"
        + " decode(repeat('01', 40), 'hex')"
        + " FROM generate_series("
        + from
        + ", "
        + (to - 1)
        + ") i";
  }
}
