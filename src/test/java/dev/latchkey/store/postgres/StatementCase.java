package dev.latchkey.store.postgres;

import dev.latchkey.store.postgres.connection.SessionSettings;
import dev.latchkey.store.postgres.sql.KeySql;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.lang.reflect.Array;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * A statement of the store upon rows from all over its table, and what it may cost.
 *
 * @param name what it is about
 * @param writtenEntries how often it goes down an index to write, or to find out whether it may
 * @param session the connections that it is sent over
 * @param sql the statement
 * @param parameters its parameters, for tables with so many rows
 * @param indexes those that it goes down to read
 */
record StatementCase(
    String name,
    long writtenEntries,
    SessionSettings session,
    String sql,
    IntFunction<Tuple> parameters,
    Set<String> indexes) {

  /** How many keys a batch has. */
  static final int BATCH = 20;

  static final String ROUTE = "POST /v1/payments";

  /** Returns a statement as a transaction sends it that locked its key. */
  static String inTransaction(String sql) {
    return sql.replace(KeySql.LOCKED_HERE, "(pg_current_xact_id() IS NOT NULL)");
  }

  /** Returns the number of one of a batch of rows that are spread over the table. */
  static int number(int size, int place, int state) {
    return size / BATCH * place + state;
  }

  /** Returns tenant, key and route of a batch. */
  static Tuple keys(IntUnaryOperator number) {
    return Tuple.tuple()
        .addValue(all(String.class, "acme"))
        .addValue(batch(String.class, i -> "key_" + number.applyAsInt(i)))
        .addValue(all(String.class, ROUTE));
  }

  /** Returns tenant, key and route of one row. */
  static Tuple key(int number) {
    return Tuple.of("acme", "key_" + number, ROUTE);
  }

  /** Returns the token of a row. */
  static Buffer token(int number) {
    return Buffer.buffer(16).appendLong(0).appendLong(number);
  }

  /** Returns a token that no row has. */
  static Buffer newToken(int place) {
    return Buffer.buffer(16).appendLong(1L << 60).appendLong(place);
  }

  static Buffer bytes(int length) {
    return Buffer.buffer(new byte[length]);
  }

  /** Returns an array with the same value for each of a batch. */
  static <T> Object all(Class<T> type, T value) {
    return batch(type, i -> value);
  }

  /** Returns an array with a value for each place of a batch. */
  @SuppressWarnings("unchecked")
  static <T> Object batch(Class<T> type, IntFunction<T> value) {
    return IntStream.range(0, BATCH)
        .mapToObj(value)
        .toArray(length -> (T[]) Array.newInstance(type, length));
  }

  @Override
  public String toString() {
    return name;
  }
}
