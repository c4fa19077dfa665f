package dev.latchkey.payments;

import dev.latchkey.ledger.Customer;
import dev.latchkey.ledger.CustomerPut;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.web.KeyScope;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The calls on customers, under ids that the client chooses. A PUT replaces the whole customer, so
 * a client may repeat it without a key.
 */
final class Customers {

  private final Ledger ledger;
  private final KeyScope scope;
  private final InstantSource clock;

  Customers(Ledger ledger, KeyScope scope, InstantSource clock) {
    this.ledger = ledger;
    this.scope = scope;
    this.clock = clock;
  }

  /** Returns whether a text can be an id: 1 to 255 characters, without U+0000. */
  static boolean isId(String text) {
    return !text.isEmpty()
        && MemberReader.chars(text) <= Customer.MAX_ID_CHARS
        && text.indexOf(0) < 0;
  }

  void get(RoutingContext ctx) {
    Optional<String> id = PathSegment.last(ctx).filter(Customers::isId);
    ContextCallback.onSuccess(
        ctx,
        id.map(it -> ledger.findCustomer(scope.tenant(ctx), it))
            .orElseGet(() -> Future.succeededFuture(Optional.empty())),
        found ->
            found.ifPresentOrElse(
                it -> ApiResponse.sendConditional(ctx, it.version(), () -> ApiJson.customer(it)),
                () -> PaymentProblems.noSuchCustomer().send(ctx)));
  }

  void put(RoutingContext ctx) {
    Command.PutCustomer command = RequestValidation.command(ctx, Command.PutCustomer.class);
    CustomerPut put =
        new CustomerPut(
            scope.tenant(ctx),
            command.customer(),
            command.name(),
            command.email(),
            EntityTags.precondition(ctx.request().headers()),
            clock.millis());
    ContextCallback.onSuccess(ctx, ledger.putCustomer(put), result -> send(ctx, result));
  }

  private static void send(RoutingContext ctx, CustomerPut.Result result) {
    if (result instanceof CustomerPut.Created created) {
      response(201, created.customer()).send(ctx);
    } else if (result instanceof CustomerPut.Stored stored) {
      response(200, stored.customer()).send(ctx);
    } else if (result instanceof CustomerPut.ConditionFailed) {
      PaymentProblems.preconditionFailed().send(ctx);
    } else if (result instanceof CustomerPut.Full) {
      PaymentProblems.overloaded("The ledger is full.").send(ctx);
    }
  }

  private static ApiResponse response(int status, Customer customer) {
    OptionalLong version = OptionalLong.of(customer.version());
    return new ApiResponse(status, Optional.empty(), version, ApiJson.customer(customer));
  }
}
