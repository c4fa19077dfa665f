package dev.latchkey.payments;

import dev.latchkey.ledger.Precondition;
import dev.latchkey.payments.Conclusion.Reply;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.OptionalLong;

/** Writes successful answers. */
final class Replies {

  private static final int NOT_MODIFIED = 304;

  private Replies() {}

  static void send(RoutingContext ctx, JsonObject body) {
    send(ctx, new Reply(200, Optional.empty(), OptionalLong.empty(), () -> body));
  }

  static void send(RoutingContext ctx, Reply reply) {
    HttpServerResponse response = ctx.response();
    response.setStatusCode(reply.status());
    response.putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
    reply.location().ifPresent(it -> response.putHeader(HttpHeaders.LOCATION, it));
    reply.version().ifPresent(it -> response.putHeader(HttpHeaders.ETAG, EntityTag.of(it)));
    response.end(reply.resource().bytes());
  }

  /**
   * Answers a GET of a resource that is there as its conditions want it (RFC 9110, section 13.2.2):
   * with the resource, with 304 to whoever has it already, or with 412. The resource is only
   * rendered where it is sent.
   */
  static void conditional(RoutingContext ctx, long version, Resource resource) {
    Checked<Precondition> checked = Conditions.of(ctx.request().headers());
    if (checked instanceof Checked.Invalid<Precondition> invalid) {
      PaymentProblems.invalidRequest(invalid.errors()).send(ctx);
    } else if (checked instanceof Checked.Valid<Precondition> valid) {
      OptionalLong current = OptionalLong.of(version);
      if (!valid.value().matches(current)) {
        PaymentProblems.preconditionFailed().send(ctx);
      } else if (!valid.value().noneMatches(current)) {
        ctx.response()
            .setStatusCode(NOT_MODIFIED)
            .putHeader(HttpHeaders.ETAG, EntityTag.of(version))
            .end();
      } else {
        send(ctx, new Reply(200, Optional.empty(), current, resource));
      }
    }
  }
}
