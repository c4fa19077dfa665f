package dev.latchkey.store.postgres;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * The statements of the store, each upon keys from all over the table. A key's number tells its
 * state: divided by 4 it leaves 0 when it is held, 1 when it is completed, 2 when it is released
 * and 3 when its owner's lease is over.
 */
enum StoreCase {
  // Into both indexes, after a look into the unique one.
  CLAIM_NEW(
      StoreCase.BATCH * 3,
      Session.STATEMENTS,
      ClaimSql.CLAIM,
      size -> claims(i -> size + 1 + i),
      StoreCase.KEYS),
  CLAIM_KNOWN(
      0,
      Session.STATEMENTS,
      ClaimSql.CLAIM,
      size -> claims(i -> key(size, i, i % 4)),
      StoreCase.KEYS),
  TAKE_NEW(
      StoreCase.BATCH * 3,
      Session.STATEMENTS,
      ClaimSql.TAKE,
      size -> claims(i -> size + 1 + i),
      StoreCase.KEYS,
      StoreCase.STEPS),
  TAKE_KNOWN(
      0,
      Session.STATEMENTS,
      ClaimSql.TAKE,
      size -> claims(i -> key(size, i, i % 4)),
      StoreCase.KEYS,
      StoreCase.STEPS),
  COMPLETE(
      0,
      Session.STATEMENTS,
      CompleteSql.COMPLETE.withoutEffects(),
      size -> held(size).addValue(all(Long.class, 1_000L)).addValue(all(Buffer.class, answer())),
      StoreCase.KEYS),
  LEFT(0, Session.STATEMENTS, CompleteSql.LEFT, size -> keys(i -> key(size, i, 1)), StoreCase.KEYS),
  RELEASE(0, Session.STATEMENTS, ReleaseStatement.RELEASE, StoreCase::held, StoreCase.KEYS),
  RENEW(
      0,
      Session.STATEMENTS,
      KeySql.RENEW,
      size -> held(size).addValue(all(Long.class, 1_000L)),
      StoreCase.KEYS),
  LOOKUP(0, Session.STATEMENTS, KeySql.LOOKUP, size -> one(key(size, 7, 1)), StoreCase.KEYS),
  WATCH(0, Session.STATEMENTS, KeySql.WATCH, size -> one(key(size, 7, 0)), StoreCase.KEYS),
  RECORDS(
      0,
      Session.STATEMENTS,
      KeySql.RECORDS,
      size -> Tuple.of("acme", "key_" + key(size, 7, 1), 100L),
      StoreCase.KEYS),
  RECORD_STEP(
      1,
      Session.STATEMENTS,
      KeySql.RECORD_STEP,
      size -> oneHeld(size).addString("charge").addBuffer(answer()).addInteger(100),
      StoreCase.KEYS,
      StoreCase.STEPS),
  RENEW_ONE(
      0,
      Session.TRANSACTIONS,
      KeySql.RENEW_ONE,
      size -> oneHeld(size).addLong(1_000L),
      StoreCase.KEYS),
  PIN(
      0,
      Session.TRANSACTIONS,
      KeySql.PIN,
      size -> oneHeld(size).addString("1000").addString("2000"),
      StoreCase.KEYS),
  COMPLETE_PINNED(
      0,
      Session.TRANSACTIONS,
      KeySql.COMPLETE_PINNED,
      size -> oneHeld(size).addBuffer(answer()).addLong(1_000L).addString(null),
      StoreCase.KEYS),
  PURGE(
      0,
      Session.TRANSACTIONS,
      KeySql.PURGE,
      size -> Tuple.of((long) StoreCase.BATCH),
      "latchkey_key_expiry");

  private static final int BATCH = 20;
  private static final String KEYS = "latchkey_key_pkey";
  private static final String STEPS = "latchkey_step_pkey";
  private static final String ROUTE = "POST /v1/payments";

  private final long writtenEntries;
  private final Session session;
  private final String sql;
  private final IntFunction<Tuple> parameters;
  private final Set<String> indexes;

  StoreCase(
      long writtenEntries,
      Session session,
      String sql,
      IntFunction<Tuple> parameters,
      String... indexes) {
    this.writtenEntries = writtenEntries;
    this.session = session;
    this.sql = sql;
    this.parameters = parameters;
    this.indexes = Set.of(indexes);
  }

  /** The connections that it is sent over. */
  Session session() {
    return session;
  }

  String sql() {
    return sql;
  }

  /** Its parameters, for a table with so many keys. */
  Tuple parameters(int size) {
    return parameters.apply(size);
  }

  /** The indexes that it goes down to read. */
  Set<String> indexes() {
    return indexes;
  }

  /** How often it goes down an index to write, or to find out whether it may. */
  long writtenEntries() {
    return writtenEntries;
  }

  /** Fills both tables with keys from one number to another; one in a hundred is expired. */
  static String[] rows(int from, int to) {
    String numbers = " FROM generate_series(" + from + ", " + (to - 1) + ") i";
    return new String[] {
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
          + " WHERE i % 4 = 3"
    };
  }

  /** The number of one of a batch of keys that are spread over the table. */
  private static int key(int size, int number, int state) {
    return size / BATCH * number + state;
  }

  private static Tuple claims(IntUnaryOperator number) {
    return keys(number)
        .addValue(all(Buffer.class, Buffer.buffer(new byte[32])))
        .addValue(batch(Buffer.class, i -> Buffer.buffer(16).appendLong(1L << 60).appendLong(i)))
        .addValue(all(Long.class, 1_000L))
        .addValue(all(Long.class, 1_000L))
        .addValue(all(Integer.class, 0))
        .addValue(all(Buffer.class, Buffer.buffer(new byte[1])))
        .addString("on");
  }

  private static Tuple held(int size) {
    return keys(i -> key(size, i, 0)).addValue(batch(Buffer.class, i -> token(key(size, i, 0))));
  }

  private static Tuple keys(IntUnaryOperator number) {
    return Tuple.tuple()
        .addValue(all(String.class, "acme"))
        .addValue(batch(String.class, i -> "key_" + number.applyAsInt(i)))
        .addValue(all(String.class, ROUTE));
  }

  private static Tuple one(int number) {
    return Tuple.of("acme", "key_" + number, ROUTE);
  }

  private static Tuple oneHeld(int size) {
    return one(key(size, 7, 0)).addBuffer(token(key(size, 7, 0)));
  }

  private static Buffer token(int number) {
    return Buffer.buffer(16).appendLong(0).appendLong(number);
  }

  private static Buffer answer() {
    return Buffer.buffer(new byte[40]);
  }

  private static <T> Object all(Class<T> type, T value) {
    return batch(type, i -> value);
  }

  @SuppressWarnings("unchecked")
  private static <T> Object batch(Class<T> type, IntFunction<T> value) {
    return IntStream.range(0, BATCH)
        .mapToObj(value)
        .toArray(length -> (T[]) java.lang.reflect.Array.newInstance(type, length));
  }
}
