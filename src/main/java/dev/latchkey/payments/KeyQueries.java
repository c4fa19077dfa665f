package dev.latchkey.payments;

import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.web.IdempotencyNode;
import dev.latchkey.web.KeyScope;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** Shows a client the state of one of its own idempotency keys. */
final class KeyQueries {

  private final IdempotencyNode node;
  private final KeyScope scope;

  KeyQueries(IdempotencyNode node, KeyScope scope) {
    this.node = node;
    this.scope = scope;
  }

  void get(RoutingContext ctx) {
    Optional<String> key = PathSegment.last(ctx).filter(ScopedKey::isKey);
    if (key.isEmpty()) {
      PaymentProblems.keyMalformed().send(ctx);
      return;
    }
    ContextCallback.onSuccess(
        ctx,
        node.records(scope.tenant(ctx), key.get()),
        records -> ApiResponse.ok(ApiJson.keys(records)).send(ctx));
  }
}
