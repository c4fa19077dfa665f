package dev.latchkey.store.postgres;

import static dev.latchkey.store.postgres.StatementCase.BATCH;
import static dev.latchkey.store.postgres.StatementCase.ROUTE;
import static dev.latchkey.store.postgres.StatementCase.all;
import static dev.latchkey.store.postgres.StatementCase.batch;
import static dev.latchkey.store.postgres.StatementCase.bytes;
import static dev.latchkey.store.postgres.StatementCase.key;
import static dev.latchkey.store.postgres.StatementCase.keys;
import static dev.latchkey.store.postgres.StatementCase.number;
import static dev.latchkey.store.postgres.StatementCase.token;

import dev.latchkey.store.postgres.connection.SessionSettings;
import dev.latchkey.store.postgres.sql.ClaimSql;
import dev.latchkey.store.postgres.sql.CompleteSql;
import dev.latchkey.store.postgres.sql.KeySql;
import dev.latchkey.store.postgres.sql.PurgeSql;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/**
 * The statements upon keys. A key's number tells its state: divided by 4 it leaves 0 when it is
 * held, 1 when it is completed, 2 when it is released and 3 when its owner's lease is over.
 */
final class KeyCases {

  private static final Set<String> KEYS = Set.of("latchkey_key_pkey");
  private static final Set<String> KEYS_AND_STEPS =
      Set.of("latchkey_key_pkey", "latchkey_step_pkey");

  /** All of them. */
  static final List<StatementCase> ALL =
      List.of(
          // Into both indexes, after a look into the unique one.
          new StatementCase(
              "claim new keys",
              BATCH * 3,
              SessionSettings.STATEMENTS,
              ClaimSql.CLAIM,
              size -> claims(i -> size + 1 + i),
              KEYS),
          new StatementCase(
              "claim known keys",
              0,
              SessionSettings.STATEMENTS,
              ClaimSql.CLAIM,
              size -> claims(i -> number(size, i, i % 4)),
              KEYS),
          // Into both indexes, after a look into the unique one.
          new StatementCase(
              "claim a new key",
              3,
              SessionSettings.STATEMENTS,
              ClaimSql.FREE,
              size -> claim(size + 1),
              KEYS),
          statement("claim a known key", ClaimSql.FREE, size -> claim(number(size, 7, 1))),
          // Into both indexes, after a look into the unique one.
          new StatementCase(
              "take new keys",
              BATCH * 3,
              SessionSettings.STATEMENTS,
              ClaimSql.TAKE,
              size -> claims(i -> size + 1 + i),
              KEYS_AND_STEPS),
          new StatementCase(
              "take known keys",
              0,
              SessionSettings.STATEMENTS,
              ClaimSql.TAKE,
              size -> claims(i -> number(size, i, i % 4)),
              KEYS_AND_STEPS),
          statement(
              "complete",
              CompleteStatement.MANY.withoutEffects(),
              size -> held(size).addValue(all(Long.class, 1_000L)).addValue(answers())),
          statement(
              "complete one",
              CompleteStatement.ONE.withoutEffects(),
              size -> oneHeld(size).addLong(1_000L).addBuffer(bytes(40))),
          statement(
              "left",
              CompleteSql.STATES,
              size ->
                  keys(i -> number(size, i, 1))
                      .addValue(batch(Buffer.class, i -> token(number(size, i, 1))))),
          statement("release", CompleteSql.RELEASE, KeyCases::held),
          statement("renew", KeySql.RENEW, size -> held(size).addValue(all(Long.class, 1_000L))),
          statement("lookup", KeySql.LOOKUP, size -> key(number(size, 7, 1))),
          statement("watch", KeySql.WATCH, size -> key(number(size, 7, 0))),
          statement(
              "records",
              KeySql.RECORDS,
              size -> Tuple.of("acme", "key_" + number(size, 7, 1), 100L)),
          new StatementCase(
              "record a step",
              1,
              SessionSettings.STATEMENTS,
              KeySql.RECORD_STEP,
              size -> oneHeld(size).addString("charge").addBuffer(bytes(40)).addInteger(100),
              KEYS_AND_STEPS),
          transaction("renew one", KeySql.RENEW_ONE, size -> oneHeld(size).addLong(1_000L)),
          transaction(
              "pin", KeySql.LOCK, size -> oneHeld(size).addString("1000").addString("2000")),
          transaction(
              "complete pinned",
              StatementCase.inTransaction(KeySql.COMPLETE_LOCKED),
              size -> oneHeld(size).addLong(1_000L).addBuffer(bytes(40))),
          new StatementCase(
              "purge keys",
              0,
              SessionSettings.TRANSACTIONS,
              PurgeSql.KEYS,
              size -> Tuple.of((long) BATCH, 0L),
              Set.of("latchkey_key_expiry")));

  private KeyCases() {}

  private static StatementCase statement(String name, String sql, IntFunction<Tuple> parameters) {
    return new StatementCase(name, 0, SessionSettings.STATEMENTS, sql, parameters, KEYS);
  }

  private static StatementCase transaction(String name, String sql, IntFunction<Tuple> parameters) {
    return new StatementCase(name, 0, SessionSettings.TRANSACTIONS, sql, parameters, KEYS);
  }

  /** Returns what fills both tables with keys from one number to another; 1 % are expired. */
  static List<String> rows(int from, int to) {
    String numbers = " FROM generate_series(" + from + ", " + (to - 1) + ") i";
    return List.of(
        "INSERT INTO latchkey_key SELECT 'acme', 'key_' || i, '"
            + ROUTE
            + "', 1, CASE WHEN i % 100 = 50 THEN i ELSE 1::bigint << 60 END,"
            + " CASE WHEN i % 4 = 0 THEN 1::bigint << 60 ELSE 1 END,"
            + " 1, (i % 4 = 3)::integer, CASE WHEN i % 4 = 3 THEN 0 ELSE i % 4 END, false, false,"
            + " decode(repeat('00', 32), 'hex'), decode(lpad(to_hex(i), 32, '0'), 'hex'), '\\x00',"
            + " CASE WHEN i % 4 = 1 THEN decode(repeat('01', 40), 'hex') END"
            + numbers,
        "INSERT INTO latchkey_step SELECT 'acme', 'key_' || i, '"
            + ROUTE
            + "', 1, 'charge', '\\x00'"
            + numbers
            + " WHERE i % 4 = 3");
  }

  private static Tuple claims(IntUnaryOperator number) {
    return keys(number)
        .addValue(all(Buffer.class, bytes(32)))
        .addValue(batch(Buffer.class, StatementCase::newToken))
        .addValue(all(Long.class, 1_000L))
        .addValue(all(Long.class, 1_000L))
        .addValue(all(Integer.class, 0))
        .addValue(all(Buffer.class, bytes(1)))
        .addString("on");
  }

  private static Tuple claim(int number) {
    return key(number)
        .addBuffer(bytes(32))
        .addBuffer(StatementCase.newToken(1))
        .addLong(1_000L)
        .addLong(1_000L)
        .addBuffer(bytes(1));
  }

  private static Object answers() {
    return all(Buffer.class, bytes(40));
  }

  private static Tuple held(int size) {
    return keys(i -> number(size, i, 0))
        .addValue(batch(Buffer.class, i -> token(number(size, i, 0))));
  }

  private static Tuple oneHeld(int size) {
    return key(number(size, 7, 0)).addBuffer(token(number(size, 7, 0)));
  }
}
