package dev.latchkey.web.capture;

import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The cookies of a captured answer. They are kept by the real response, which sets them when its
 * head is written, so that they are never stored; those of a dropped answer are taken back.
 */
final class CapturedCookies {

  private final HttpServerResponse real;
  private final List<Cookie> added = new ArrayList<>();

  CapturedCookies(HttpServerResponse real) {
    this.real = real;
  }

  /** Returns what the call returns, but for {@code addCookie}, which is fluent. */
  synchronized @Nullable Object call(String method, @Nullable Object[] args) {
    if (real.headWritten()) {
      // Somebody else has answered; these cookies go nowhere.
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

  /** What removing a cookie returns where there is none. */
  static @Nullable Object none(String method) {
    return method.equals("removeCookies") ? Set.<Cookie>of() : null;
  }

  synchronized void takeBack() {
    if (!real.headWritten()) {
      added.forEach(it -> real.removeCookie(it.getName(), it.getDomain(), it.getPath(), false));
    }
    added.clear();
  }
}
