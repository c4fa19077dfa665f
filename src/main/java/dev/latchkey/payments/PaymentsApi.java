package dev.latchkey.payments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.web.IdempotencyHandler;
import dev.latchkey.web.IdempotencyNode;
import dev.latchkey.web.IdempotencyOptions;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.function.BiFunction;

/**
 * The payments API over HTTP: payments, captures, cancels, refunds, balance, customers, and where
 * an idempotency key stands. Holds no state of its own; one instance may be mounted by any number
 * of verticles.
 *
 * <p>What moves money needs an idempotency key. What does not is safe to send again by itself: a
 * customer is put whole under an id that the client chose, and a payment's texts are patched from a
 * version that the client names ({@code If-Match}). Payments and customers carry their version as
 * {@code ETag}, and are read conditionally (RFC 9110, section 13).
 *
 * <p>The router must be behind {@link IdempotencyNode#capture(Handler)} and already have whatever
 * tells the tenant. Failures, such as 413 for a body over the limit, are left to its error
 * handlers.
 */
public final class PaymentsApi {

  private static final String PAYMENTS = "/v1/payments";
  private static final String CAPTURE = "/v1/payments/:id/capture";
  private static final String CANCEL = "/v1/payments/:id/cancel";
  private static final String REFUNDS = "/v1/payments/:id/refunds";
  private static final PathTemplates KEYED = PathTemplates.of(PAYMENTS, CAPTURE, CANCEL, REFUNDS);

  private final PaymentsOptions options;
  private final IdempotencyHandler idempotency;
  private final PaymentSchema schema;
  private final CreatePayment create;
  private final ClosePayment close;
  private final RefundPayment refund;
  private final PaymentReads reads;
  private final AmendHandler amend;
  private final Customers customers;
  private final KeyReads keys;

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
    amend = new AmendHandler(new AmendPayment(ledger, payments, options.clock()), options.scope());
    customers = new Customers(ledger, options.scope(), options.clock());
    keys = new KeyReads(node, options.scope());
  }

  /**
   * Adds the routes under {@code /v1}.
   *
   * @param router the outermost router, or one mounted without a path
   */
  public void mount(Router router) {
    keyed(
        router,
        PAYMENTS,
        new RequestValidation<>(true, (ctx, body) -> schema.create(body)),
        new KeyedHandler<>(Command.Create.class, create));
    keyed(
        router,
        CAPTURE,
        ofPayment(schema::capture),
        new KeyedHandler<>(Command.Capture.class, close::capture));
    keyed(
        router,
        CANCEL,
        ofPayment(schema::cancel),
        new KeyedHandler<>(Command.Cancel.class, close::cancel));
    keyed(
        router,
        REFUNDS,
        ofPayment(schema::refund),
        new KeyedHandler<>(Command.GiveBack.class, refund));
    router.get("/v1/payments").handler(reads::list);
    read(router, "/v1/payments/:id", reads::get);
    write(
        router.patch("/v1/payments/:id"),
        new RequestValidation<>(true, (ctx, body) -> schema.amend(ctx.pathParam("id"), body)),
        amend);
    read(router, "/v1/balance", reads::balance);
    read(router, "/v1/customers/:id", customers::get).useNormalizedPath(false);
    write(
            router.put("/v1/customers/:id"),
            new RequestValidation<>(
                true, (ctx, body) -> schema.putCustomer(LastSegment.of(ctx), body)),
            customers::put)
        .useNormalizedPath(false);
    read(router, "/v1/idempotency-keys/:key", keys::get).useNormalizedPath(false);
  }

  private static <C extends Command> RequestValidation<C> ofPayment(
      BiFunction<String, JsonNode, Checked<C>> schema) {
    return new RequestValidation<>(false, (ctx, body) -> schema.apply(ctx.pathParam("id"), body));
  }

  /**
   * Makes a handler that only takes note of idempotency keys, to be put before authentication, so
   * that its refusals echo them too. Passes every request on.
   *
   * @return the handler, for a route of any path on the router on which {@link #mount} adds the API
   */
  public Handler<RoutingContext> keyNote() {
    Handler<RoutingContext> note = idempotency.keyNote();
    return ctx -> {
      if (KEYED.match(ctx.normalizedPath())) {
        note.handle(ctx);
      } else {
        ctx.next();
      }
    };
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

  /** A call that changes something and needs no key. */
  private Route write(
      Route route, Handler<RoutingContext> validation, Handler<RoutingContext> business) {
    BodyHandler body = BodyHandler.create(false).setBodyLimit(options.maxBodyBytes());
    return route
        .handler(QueryParameters::refuse)
        .handler(new FormRefusal(options.maxBodyBytes()))
        .handler(ctx -> body.handle(ctx))
        .handler(validation)
        .handler(business);
  }

  private static Route read(Router router, String template, Handler<RoutingContext> handler) {
    return router.get(template).handler(QueryParameters::refuse).handler(handler);
  }
}
