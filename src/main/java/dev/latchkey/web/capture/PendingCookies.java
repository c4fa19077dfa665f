package dev.latchkey.web.capture;

import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The cookies of a captured response. The real response gets them with the captured head, so they
 * are never stored, and no other response carries them.
 */
final class PendingCookies {

  private final HttpServerRequest request;
  private final List<Cookie> added = new ArrayList<>(0);
  private final List<Consumer<HttpServerResponse>> changes = new ArrayList<>(0);

  PendingCookies(HttpServerRequest request) {
    this.request = request;
  }

  /** Records a cookie call. Returns its result, except for the fluent {@code addCookie}. */
  @Nullable Object call(String method, @Nullable Object[] args) {
    if (args[0] instanceof Cookie cookie) {
      added.add(cookie);
      changes.add(real -> real.addCookie(cookie));
      return null;
    }
    String name = (String) Objects.requireNonNull(args[0], "name");
    boolean invalidate = Boolean.TRUE.equals(args[args.length - 1]);
    if (method.equals("removeCookies")) {
      changes.add(real -> real.removeCookies(name, invalidate));
      return removed(it -> it.getName().equals(name));
    }
    if (args.length == 2) {
      changes.add(real -> real.removeCookie(name, invalidate));
      return first(removed(it -> it.getName().equals(name)));
    }
    String domain = (String) args[1];
    String path = (String) args[2];
    changes.add(real -> real.removeCookie(name, domain, path, invalidate));
    return first(
        removed(
            it ->
                it.getName().equals(name)
                    && Objects.equals(it.getDomain(), domain)
                    && Objects.equals(it.getPath(), path)));
  }

  private Set<Cookie> removed(Predicate<Cookie> which) {
    Set<Cookie> removed = new LinkedHashSet<>();
    added.stream().filter(which).forEach(removed::add);
    request.cookies().stream().filter(which).forEach(removed::add);
    added.removeIf(which);
    return removed;
  }

  private static @Nullable Cookie first(Set<Cookie> cookies) {
    return cookies.stream().findFirst().orElse(null);
  }

  /** The result of a cookie call without effect. */
  static @Nullable Object none(String method) {
    return method.equals("removeCookies") ? Set.<Cookie>of() : null;
  }

  void apply(HttpServerResponse real) {
    changes.forEach(change -> change.accept(real));
  }

  void clear() {
    added.clear();
    changes.clear();
  }
}
