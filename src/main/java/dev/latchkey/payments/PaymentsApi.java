package dev.latchkey.payments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.idempotency.IdempotencyHandler;
import dev.latchkey.idempotency.IdempotencyNode;
import dev.latchkey.idempotency.IdempotencyOptions;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.psp.PspGateway;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.function.BiFunction;

/**
 * The payments API over HTTP: payments, captures, cancels, refunds, balance. Holds no state of its
 * own; one instance may be mounted by any number of verticles.
 *
 * <p>The router must already have {@link IdempotencyNode#capture()} and whatever tells the tenant.
 * Failures, such as 413 for a body over the limit, are left to its error handlers.
 */
public final class PaymentsApi {

  private final PaymentsOptions options;
  private final IdempotencyHandler idempotency;
  private final PaymentSchema schema;
  private final CreatePayment create;
  private final ClosePayment close;
  private final RefundPayment refund;
  private final PaymentReads reads;

  /**
   * Makes the API.
   *
   * @param ledger where the payments live; the node's store applies its effects
   * @param psp moves the money
   * @param node runs the keyed routes
   * @param options the rest
   */
  public PaymentsApi(Ledger ledger, PspGateway psp, IdempotencyNode node, PaymentsOptions options) {
    this.options = options;
    PaymentLookup payments = new PaymentLookup(ledger);
    idempotency =
        IdempotencyHandler.create(
            node,
            new IdempotencyOptions(options.idempotency())
                .setScope(options.scope())
                .setStatusUrlPrefix("/v1/idempotency-keys/"));
    schema = new PaymentSchema(options.paymentMethods());
    create = new CreatePayment(ledger, psp, options.clock(), options.ids());
    close = new ClosePayment(payments, psp, options.clock());
    refund = new RefundPayment(ledger, payments, psp, options.clock(), options.ids());
    reads = new PaymentReads(ledger, payments, options.scope());
  }

  /**
   * Adds the routes under {@code /v1}.
   *
   * @param router the outermost router, or one mounted without a path
   */
  public void mount(Router router) {
    keyed(
        router,
        "/v1/payments",
        new RequestValidation<>(true, (ctx, body) -> schema.create(body)),
        new KeyedHandler<>(Command.Create.class, create));
    keyed(
        router,
        "/v1/payments/:id/capture",
        ofPayment(schema::capture),
        new KeyedHandler<>(Command.Capture.class, close::capture));
    keyed(
        router,
        "/v1/payments/:id/cancel",
        ofPayment(schema::cancel),
        new KeyedHandler<>(Command.Cancel.class, close::cancel));
    keyed(
        router,
        "/v1/payments/:id/refunds",
        ofPayment(schema::refund),
        new KeyedHandler<>(Command.GiveBack.class, refund));
    read(router, "/v1/payments", reads::list);
    read(router, "/v1/payments/:id", reads::get);
    read(router, "/v1/balance", reads::balance);
  }

  private static <C extends Command> RequestValidation<C> ofPayment(
      BiFunction<String, JsonNode, Checked<C>> schema) {
    return new RequestValidation<>(false, (ctx, body) -> schema.apply(ctx.pathParam("id"), body));
  }

  private void keyed(
      Router router,
      String template,
      Handler<RoutingContext> validation,
      Handler<RoutingContext> business) {
    BodyHandler body = BodyHandler.create(false).setBodyLimit(options.maxBodyBytes());
    router
        .route(HttpMethod.POST, template)
        .setName(template)
        .handler(idempotency.keyCheck())
        .handler(new FormRefusal(options.maxBodyBytes()))
        // A lambda, since Vert.x Web wants body handlers first, and here the key's syntax comes
        // first.
        .handler(ctx -> body.handle(ctx))
        .handler(validation)
        .handler(idempotency)
        .handler(business);
  }

  private static void read(Router router, String template, Handler<RoutingContext> handler) {
    router.route(HttpMethod.GET, template).setName(template).handler(handler);
  }
}
