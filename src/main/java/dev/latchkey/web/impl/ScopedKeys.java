package dev.latchkey.web.impl;

import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.web.KeyScope;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.ConcurrentHashMap;

/** Puts the keys of a handler's requests into their scope. Safe for use by any thread. */
final class ScopedKeys {

  private static final int MAX_ROUTES = 100;

  private final ConcurrentHashMap<String, String> routes = new ConcurrentHashMap<>();
  private final KeyScope scope;

  ScopedKeys(KeyScope scope) {
    this.scope = scope;
  }

  ScopedKey of(RoutingContext ctx, KeyedRequest keyed) {
    return new ScopedKey(scope.tenant(ctx), route(ctx), keyed.key());
  }

  /** Names the operation by one text for all its requests, since the keys that are kept hold it. */
  private String route(RoutingContext ctx) {
    String made = scope.route(ctx);
    String known = routes.get(made);
    if (known != null) {
      return known;
    }
    if (routes.size() < MAX_ROUTES) {
      routes.put(made, made);
    }
    return made;
  }
}
