package dev.latchkey.idempotency.impl.capture;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerResponse;
import java.util.Objects;
import java.util.Set;
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

  /** Changes the cookies of the real response, which sets them when its head is written. */
  static @Nullable Object cookie(HttpServerResponse real, String method, @Nullable Object[] args) {
    if (real.headWritten()) {
      // Somebody else has answered; these cookies go nowhere.
      return noCookie(method);
    }
    if (args[0] instanceof Cookie cookie) {
      return real.addCookie(cookie);
    }
    String name = (String) args[0];
    boolean invalidate = Boolean.TRUE.equals(args[args.length - 1]);
    if (method.equals("removeCookies")) {
      return real.removeCookies(name, invalidate);
    }
    return args.length == 2
        ? real.removeCookie(name, invalidate)
        : real.removeCookie(name, (String) args[1], (String) args[2], invalidate);
  }

  /** What removing a cookie returns where there is none. */
  static @Nullable Object noCookie(String method) {
    return method.equals("removeCookies") ? Set.<Cookie>of() : null;
  }
}
