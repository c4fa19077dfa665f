package dev.latchkey.payments;

import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.web.IdempotencyNode;
import dev.latchkey.web.KeyScope;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** Tells a client where one of its own idempotency keys stands. */
final class KeyReads {

  private final IdempotencyNode node;
  private final KeyScope scope;

  KeyReads(IdempotencyNode node, KeyScope scope) {
    this.node = node;
    this.scope = scope;
  }

  void get(RoutingContext ctx) {
    Optional<String> key = LastSegment.of(ctx).filter(ScopedKey::isKey);
    if (key.isEmpty()) {
      PaymentProblems.keyMalformed().send(ctx);
      return;
    }
    OnContext.then(
        ctx,
        node.records(scope.tenant(ctx), key.get()),
        records -> Replies.send(ctx, KeyJson.records(records)));
  }
}
