package dev.latchkey.payments;

import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.Precondition;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * A successful response of the API.
 *
 * @param status HTTP status code
 * @param location URL of the resource that was created, if any
 * @param version of the resource, if it has one; sent as {@code ETag}
 * @param body JSON body
 */
record ApiResponse(int status, Optional<String> location, OptionalLong version, JsonObject body) {

  private static final int NOT_MODIFIED = 304;

  static ApiResponse ok(JsonObject body) {
    return new ApiResponse(200, Optional.empty(), OptionalLong.empty(), body);
  }

  static ApiResponse ok(Payment payment) {
    return ok(payment.version(), ApiJson.payment(payment));
  }

  static ApiResponse ok(long version, JsonObject body) {
    return new ApiResponse(200, Optional.empty(), OptionalLong.of(version), body);
  }

  void send(RoutingContext ctx) {
    HttpServerResponse response = ctx.response();
    response.setStatusCode(status);
    response.putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
    location.ifPresent(it -> response.putHeader(HttpHeaders.LOCATION, it));
    version.ifPresent(it -> response.putHeader(HttpHeaders.ETAG, EntityTags.of(it)));
    response.end(body.toBuffer());
  }

  /**
   * Responds to a conditional GET of an existing resource (RFC 9110, section 13.2.2): with the
   * resource, 304 or 412.
   *
   * @param version of the resource
   * @param body called only if it is sent
   */
  static void sendConditional(RoutingContext ctx, long version, Supplier<JsonObject> body) {
    Precondition condition = EntityTags.precondition(ctx.request().headers());
    OptionalLong current = OptionalLong.of(version);
    if (!condition.matches(current)) {
      PaymentProblems.preconditionFailed().send(ctx);
    } else if (!condition.noneMatches(current)) {
      ctx.response()
          .setStatusCode(NOT_MODIFIED)
          .putHeader(HttpHeaders.ETAG, EntityTags.of(version))
          .end();
    } else {
      ok(version, body.get()).send(ctx);
    }
  }
}
