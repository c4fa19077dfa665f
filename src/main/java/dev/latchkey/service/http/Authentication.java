package dev.latchkey.service.http;

import dev.latchkey.web.Problem;
import dev.latchkey.web.ProblemType;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;

/**
 * Determines the tenant of a request by its bearer secret (RFC 6750), or responds 401. Without API
 * keys every caller is {@link Tenant#DEFAULT}. Safe for any number of verticles.
 */
public final class Authentication implements Handler<RoutingContext> {

  private static final String SCHEME = "Bearer ";

  private final Optional<ApiKeys> apiKeys;
  private final Runnable onFailure;

  /**
   * Creates the handler.
   *
   * @param apiKeys accepted callers; without it everyone
   * @param onFailure called for each 401
   */
  public Authentication(Optional<ApiKeys> apiKeys, Runnable onFailure) {
    this.apiKeys = apiKeys;
    this.onFailure = onFailure;
  }

  @Override
  public void handle(RoutingContext ctx) {
    Optional<String> tenant =
        apiKeys.isEmpty()
            ? Optional.of(Tenant.DEFAULT)
            : secret(ctx).flatMap(apiKeys.orElseThrow()::tenantOf);
    if (tenant.isPresent()) {
      Tenant.put(ctx, tenant.orElseThrow());
      ctx.next();
    } else {
      onFailure.run();
      Problem.of(
              401,
              ProblemType.UNAUTHORIZED,
              "Send 'Authorization: Bearer SECRET' with a valid secret. Nothing was executed, and the"
                  + " idempotency key was not used up.")
          .header("WWW-Authenticate", "Bearer")
          .send(ctx);
    }
  }

  private static Optional<String> secret(RoutingContext ctx) {
    List<String> values = ctx.request().headers().getAll(HttpHeaders.AUTHORIZATION);
    if (values.size() != 1) {
      return Optional.empty();
    }
    String value = values.get(0).strip();
    return value.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        ? Optional.of(value.substring(SCHEME.length()).strip())
        : Optional.empty();
  }
}
