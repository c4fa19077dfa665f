package dev.latchkey.web.capture;

import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cookies of a captured response. They are set on the real response, which writes them with its
 * head, so they are never stored. Those of a discarded response are removed again.
 */
final class PendingCookies {

  private final HttpServerResponse real;
  private final List<Cookie> added = new ArrayList<>();

  PendingCookies(HttpServerResponse real) {
    this.real = real;
  }

  /** Executes a cookie call. Returns its result, except for the fluent {@code addCookie}. */
  synchronized @Nullable Object call(String method, @Nullable Object[] args) {
    if (real.headWritten()) {
      // The client got another response; these cookies go nowhere.
      return none(method);
    }
    if (args[0] instanceof Cookie cookie) {
      added.add(cookie);
      real.addCookie(cookie);
      return null;
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

  /** The result of a cookie call without effect. */
  static @Nullable Object none(String method) {
    return method.equals("removeCookies") ? Set.<Cookie>of() : null;
  }

  synchronized void remove() {
    if (!real.headWritten()) {
      added.forEach(it -> real.removeCookie(it.getName(), it.getDomain(), it.getPath(), false));
    }
    added.clear();
  }
}
