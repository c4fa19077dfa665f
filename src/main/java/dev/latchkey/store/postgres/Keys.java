package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.Token;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Keys and tokens as the columns of the table. */
final class Keys {

  /** Longer than any date; far enough from the end that adding the time of day cannot overflow. */
  private static final long LONGEST_MILLIS = 1L << 60;

  private Keys() {}

  /** Tells why Postgres cannot hold a key as it is, if so. */
  static Optional<StoreException> refusal(String operation, ScopedKey key) {
    if (isText(key.tenant()) && isText(key.route()) && isText(key.key())) {
      return Optional.empty();
    }
    return Optional.of(
        Failures.hopeless(
            operation
                + ": tenant, route or key hold a NUL or half a surrogate pair, which Postgres"
                + " cannot keep"));
  }

  /** Calls, unless Postgres cannot hold the key; fails with {@link StoreException} alone. */
  static <T> Future<T> checked(String operation, ScopedKey key, Supplier<Future<T>> call) {
    return refusal(operation, key)
        .<Future<T>>map(Future::failedFuture)
        .orElseGet(() -> Failures.told(operation, call.get()));
  }

  /** Whether a text comes back from the database as it went there. */
  static boolean isText(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        return false;
      }
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return false;
        }
        i++;
      }
    }
    return true;
  }

  static long millis(long millis) {
    return Math.min(millis, LONGEST_MILLIS);
  }

  static Buffer bytes(Token token) {
    return Buffer.buffer(16).appendLong(token.high()).appendLong(token.low());
  }

  static Token token(Buffer bytes) {
    return new Token(bytes.getLong(0), bytes.getLong(8));
  }

  /** The parameters that most statements about one key begin with. */
  static Tuple values(ScopedKey key) {
    return Tuple.tuple().addString(key.tenant()).addString(key.key()).addString(key.route());
  }

  /** The arrays that most statements about many keys begin with. */
  static <T> Tuple arrays(List<T> calls, Function<T, ScopedKey> key) {
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

  static <T> Buffer[] buffers(List<T> calls, Function<T, Buffer> column) {
    Buffer[] buffers = new Buffer[calls.size()];
    for (int i = 0; i < buffers.length; i++) {
      buffers[i] = column.apply(calls.get(i));
    }
    return buffers;
  }

  static <T> Long[] longs(List<T> calls, ToLongFunction<T> column) {
    Long[] longs = new Long[calls.size()];
    for (int i = 0; i < longs.length; i++) {
      longs[i] = column.applyAsLong(calls.get(i));
    }
    return longs;
  }
}
