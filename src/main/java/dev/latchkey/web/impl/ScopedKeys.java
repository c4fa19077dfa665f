package dev.latchkey.web.impl;

import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.web.KeyScope;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Puts the keys of a handler's requests into their scope. Thread-safe. */
final class ScopedKeys {

  private static final int MAX_ROUTES = 100;

  private final ConcurrentHashMap<String, String> routes = new ConcurrentHashMap<>();
  private final KeyScope scope;

  ScopedKeys(KeyScope scope) {
    this.scope = scope;
  }

  ScopedKey of(RoutingContext ctx, KeyedRequest keyed) {
    @Nullable String tenant = scope.tenant(ctx);
    if (tenant == null) {
      throw new IllegalStateException("KeyScope.tenant returned null, so the caller is unknown");
    }
    return new ScopedKey(tenant, route(ctx), keyed.key());
  }

  /** Returns one String instance per operation, since every parked or cached key holds it. */
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
