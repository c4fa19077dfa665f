package dev.latchkey.payments;

import dev.latchkey.ledger.Precondition;
import dev.latchkey.payments.OperationResult.Failed;
import dev.latchkey.web.Idempotency;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * {@code If-Match} on keyed calls (RFC 9110, section 13.1.1): compared with the payment before the
 * PSP is called. The result is a recorded step. A later attempt does not compare again, since the
 * PSP may have acted in an earlier one.
 */
final class IfMatch {

  private static final List<String> UNSUPPORTED =
      List.of("If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range");

  private final PaymentLookup payments;

  IfMatch(PaymentLookup payments) {
    this.payments = payments;
  }

  /** Returns a handler that rejects the conditional headers that a keyed call does not support. */
  static Handler<RoutingContext> validation(boolean ifMatchSupported) {
    return ctx -> {
      MultiMap headers = ctx.request().headers();
      FieldErrors errors = new FieldErrors();
      for (String name : UNSUPPORTED) {
        reject(name, headers, errors);
      }
      if (!ifMatchSupported) {
        reject("If-Match", headers, errors);
      }
      errors.check();
      EntityTags.precondition(headers);
      ctx.next();
    };
  }

  private static void reject(String name, MultiMap headers, FieldErrors errors) {
    if (headers.contains(name)) {
      errors.add("", "the header " + name + " is not supported on this call");
    }
  }

  /** Returns the failure if the payment does not match. An unknown payment is left to the call. */
  Future<Optional<OperationResult>> check(RoutingContext ctx, Idempotency claim, String payment) {
    MultiMap headers = ctx.request().headers();
    if (!headers.contains(HttpHeaders.IF_MATCH)) {
      return Future.succeededFuture(Optional.empty());
    }
    Precondition condition = EntityTags.precondition(headers);
    return claim
        .step("if-match", () -> compare(claim.tenant(), payment, condition))
        .map(
            matches ->
                matches.getByte(0) == 1
                    ? Optional.empty()
                    : Optional.of(new Failed(PaymentProblems.preconditionFailed())));
  }

  private Future<Buffer> compare(String tenant, String payment, Precondition condition) {
    return payments
        .find(tenant, payment)
        .map(
            found -> found.map(it -> condition.matches(OptionalLong.of(it.version()))).orElse(true))
        .map(matches -> Buffer.buffer(new byte[] {(byte) (matches ? 1 : 0)}));
  }
}
