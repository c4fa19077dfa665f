package dev.latchkey.web.capture;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the arguments of the response's overloaded methods. */
final class Arguments {

  private Arguments() {}

  /** The bytes of {@code write} and {@code end}: a buffer, a text, a text and its charset. */
  static Buffer chunk(@Nullable Object[] args) {
    Object chunk = Objects.requireNonNull(args[0], "chunk");
    if (chunk instanceof Buffer buffer) {
      return buffer;
    }
    return args.length == 1
        ? Buffer.buffer((String) chunk)
        : Buffer.buffer((String) chunk, (String) Objects.requireNonNull(args[1], "encoding"));
  }

  /** Sets a header or trailer as {@code putHeader} and {@code putTrailer} do. */
  static void put(MultiMap map, @Nullable Object[] args) {
    CharSequence name = (CharSequence) Objects.requireNonNull(args[0], "name");
    Object value = args[1];
    if (value == null) {
      map.remove(name);
    } else if (value instanceof CharSequence one) {
      map.set(name, one);
    } else {
      @SuppressWarnings("unchecked") // the other overloads take nothing else
      Iterable<CharSequence> several = (Iterable<CharSequence>) value;
      map.set(name, several);
    }
  }
}
