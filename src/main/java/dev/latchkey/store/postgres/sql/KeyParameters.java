package dev.latchkey.store.postgres.sql;

import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.Token;
import dev.latchkey.store.postgres.connection.Failures;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Converts keys and tokens to the parameters of statements. */
public final class KeyParameters {

  /** Longer than any date; adding the current time cannot overflow. */
  private static final long LONGEST_MILLIS = 1L << 60;

  private KeyParameters() {}

  /** Returns why Postgres cannot store a key exactly, if so. */
  public static Optional<StoreException> refusal(String operation, ScopedKey key) {
    if (isText(key.tenant()) && isText(key.route()) && isText(key.key())) {
      return Optional.empty();
    }
    return Optional.of(
        Failures.permanent(
            operation
                + ": tenant, route or key contain a NUL or half a surrogate pair, which Postgres"
                + " cannot store"));
  }

  /** Calls if Postgres can store the key; fails only with {@link StoreException}. */
  public static <T> Future<T> checked(String operation, ScopedKey key, Supplier<Future<T>> call) {
    return Failures.converted(
        operation,
        refusal(operation, key).<Future<T>>map(Future::failedFuture).orElseGet(() -> called(call)));
  }

  private static <T> Future<T> called(Supplier<Future<T>> call) {
    try {
      return call.get();
    } catch (StoreException invalid) {
      return Future.failedFuture(invalid);
    }
  }

  /** Returns whether the database returns a text as it was stored. */
  public static boolean isText(String text) {
    int c;
    for (int i = 0; i < text.length(); i += Character.charCount(c)) {
      c = text.codePointAt(i);
      if (c == 0 || Character.getType(c) == Character.SURROGATE) {
        return false;
      }
    }
    return true;
  }

  /** Limits a duration so that it can be added to a time. */
  public static long millis(long millis) {
    return Math.min(millis, LONGEST_MILLIS);
  }

  /** Encodes a token. */
  public static Buffer bytes(Token token) {
    return Buffer.buffer(16).appendLong(token.high()).appendLong(token.low());
  }

  /** Decodes a token. */
  public static Token token(Buffer bytes) {
    return new Token(bytes.getLong(0), bytes.getLong(8));
  }

  /** Returns the first parameters of most statements about one key. */
  public static Tuple values(ScopedKey key) {
    return Tuple.tuple().addString(key.tenant()).addString(key.key()).addString(key.route());
  }

  /** Returns the first arrays of most statements about many keys. */
  public static <T> Tuple arrays(List<T> calls, Function<T, ScopedKey> key) {
    String[] tenants = new String[calls.size()];
    String[] keys = new String[calls.size()];
    String[] routes = new String[calls.size()];
    for (int i = 0; i < keys.length; i++) {
      ScopedKey each = key.apply(calls.get(i));
      tenants[i] = each.tenant();
      keys[i] = each.key();
      routes[i] = each.route();
    }
    return Tuple.tuple().addValue(tenants).addValue(keys).addValue(routes);
  }

  /** Returns an array parameter. */
  public static <T> Buffer[] buffers(List<T> calls, Function<T, Buffer> column) {
    Buffer[] buffers = new Buffer[calls.size()];
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = column.apply(calls.get(i));
    }
    return buffers;
  }

  /** Returns an array parameter. */
  public static <T> Long[] longs(List<T> calls, ToLongFunction<T> column) {
    Long[] longs = new Long[calls.size()];
    for (int i = 0; i < longs.length; i++) {
      longs[i] = column.applyAsLong(calls.get(i));
    }
    return longs;
  }
}
