package dev.latchkey.payments;

import dev.latchkey.ledger.Customer;
import dev.latchkey.ledger.CustomerPut;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.Precondition;
import dev.latchkey.payments.Conclusion.Reply;
import dev.latchkey.web.KeyScope;
import io.vertx.core.Future;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The customers that a client keeps here under ids of its own. A PUT says all that is to be known,
 * so that the same one may be sent any number of times without a key.
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

  /** Whether a text can be a customer's id: 1 to 255 characters of any text without U+0000. */
  static boolean isId(String text) {
    return !text.isEmpty() && Members.chars(text) <= Customer.MAX_ID_CHARS && text.indexOf(0) < 0;
  }

  void get(RoutingContext ctx) {
    OnContext.then(
        ctx,
        find(scope.tenant(ctx), LastSegment.of(ctx).filter(Customers::isId)),
        found ->
            found.ifPresentOrElse(
                it -> Replies.conditional(ctx, it.version(), () -> CustomerJson.customer(it)),
                () -> PaymentProblems.noSuchCustomer().send(ctx)));
  }

  void put(RoutingContext ctx) {
    Checked<Precondition> condition = Conditions.of(ctx.request().headers());
    if (condition instanceof Checked.Invalid<Precondition> invalid) {
      PaymentProblems.invalidRequest(invalid.errors()).send(ctx);
    } else if (condition instanceof Checked.Valid<Precondition> valid) {
      Command.PutCustomer command = RequestValidation.command(ctx, Command.PutCustomer.class);
      CustomerPut put =
          new CustomerPut(
              scope.tenant(ctx),
              command.customer(),
              command.name(),
              command.email(),
              valid.value(),
              clock.millis());
      OnContext.then(ctx, ledger.putCustomer(put), result -> answer(ctx, result));
    }
  }

  private Future<Optional<Customer>> find(String tenant, Optional<String> id) {
    return id.map(it -> ledger.findCustomer(tenant, it))
        .orElseGet(() -> Future.succeededFuture(Optional.empty()));
  }

  private static void answer(RoutingContext ctx, CustomerPut.Result result) {
    if (result instanceof CustomerPut.Created created) {
      Replies.send(ctx, reply(201, created.customer()));
    } else if (result instanceof CustomerPut.Stored stored) {
      Replies.send(ctx, reply(200, stored.customer()));
    } else if (result instanceof CustomerPut.ConditionFailed) {
      PaymentProblems.preconditionFailed().send(ctx);
    } else if (result instanceof CustomerPut.Full) {
      PaymentProblems.overloaded("There is no room for more.").send(ctx);
    }
  }

  private static Reply reply(int status, Customer customer) {
    return new Reply(
        status,
        Optional.empty(),
        OptionalLong.of(customer.version()),
        () -> CustomerJson.customer(customer));
  }
}
