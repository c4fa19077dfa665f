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
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/**
 * The payments API over HTTP: payments, captures, cancels, refunds, balance, customers, and the
 * state of idempotency keys. Stateless; any number of verticles may mount one instance.
 *
 * <p>Calls that move money need an idempotency key. The others are safe to repeat: a PUT replaces a
 * whole customer under an id of the client, and a PATCH changes the texts of one version of a
 * payment ({@code If-Match}). Payments and customers have their version as {@code ETag} and support
 * conditional reads (RFC 9110, section 13).
 *
 * <p>The router must be behind {@link IdempotencyNode#capture(Handler)} and must have identified
 * the tenant. Failures, such as 413 for a body over the limit, are left to its error handlers.
 */
public final class PaymentsApi {

  private static final String PAYMENTS = "/v1/payments";
  private static final String CAPTURE = "/v1/payments/:id/capture";
  private static final String CANCEL = "/v1/payments/:id/cancel";
  private static final String REFUNDS = "/v1/payments/:id/refunds";

  /** The paths of the four templates above, as the router matches them. */
  private static final Pattern KEYED =
      Pattern.compile("/v1/payments(?:/[^/]+/(?:capture|cancel|refunds))?/?");

  private final PaymentsOptions options;
  private final IdempotencyHandler idempotency;
  private final PaymentSchema schema;
  private final CreatePayment create;
  private final ClosePayment close;
  private final RefundPayment refund;
  private final IfMatch ifMatch;
  private final PaymentQueries queries;
  private final AmendPayment amend;
  private final Customers customers;
  private final KeyQueries keys;

  /**
   * Creates the API.
   *
   * @param ledger stores the payments; the node's store applies its effects
   * @param psp moves the money
   * @param node runs the keyed routes
   * @param options everything else
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
    ifMatch = new IfMatch(payments);
    queries = new PaymentQueries(ledger, payments, options.scope());
    amend = new AmendPayment(ledger, payments, options.clock());
    customers = new Customers(ledger, options.scope(), options.clock());
    keys = new KeyQueries(node, options.scope());
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
        new KeyedOperation<>(Command.Create.class, create, ifMatch));
    keyed(
        router,
        CAPTURE,
        ofPayment(schema::capture),
        new KeyedOperation<>(Command.Capture.class, close::capture, ifMatch));
    keyed(
        router,
        CANCEL,
        ofPayment(schema::cancel),
        new KeyedOperation<>(Command.Cancel.class, close::cancel, ifMatch));
    keyed(
        router,
        REFUNDS,
        ofPayment(schema::refund),
        new KeyedOperation<>(Command.Refund.class, refund, ifMatch));
    list(router, PAYMENTS, queries::list);
    list(router, REFUNDS, queries::refunds);
    read(router, "/v1/refunds/:id", queries::refund);
    read(router, "/v1/payments/:id", queries::get);
    write(
        router.patch("/v1/payments/:id"),
        new RequestValidation<>(true, (ctx, body) -> schema.amend(ctx.pathParam("id"), body)),
        ctx -> amend.handle(ctx, options.scope()));
    read(router, "/v1/balance", queries::balance);
    read(router, "/v1/customers/:id", customers::get).useNormalizedPath(false);
    write(
            router.put("/v1/customers/:id"),
            new RequestValidation<>(
                true, (ctx, body) -> schema.putCustomer(PathSegment.last(ctx), body)),
            customers::put)
        .useNormalizedPath(false);
    read(router, "/v1/idempotency-keys/:key", keys::get).useNormalizedPath(false);
  }

  private static <C extends Command> RequestValidation<C> ofPayment(
      BiFunction<String, JsonNode, C> schema) {
    return new RequestValidation<>(false, (ctx, body) -> schema.apply(ctx.pathParam("id"), body));
  }

  /**
   * Returns a handler that only notes idempotency keys. Put before authentication, it adds the key
   * to 401 responses too. It passes every request on.
   *
   * @return the handler, for a route of any path on the router of {@link #mount}
   */
  public Handler<RoutingContext> keyNote() {
    Handler<RoutingContext> note = idempotency.keyNote();
    return ctx -> {
      if (isKeyed(ctx.normalizedPath())) {
        note.handle(ctx);
      } else {
        ctx.next();
      }
    };
  }

  static boolean isKeyed(String normalizedPath) {
    return KEYED.matcher(normalizedPath).matches();
  }

  private void keyed(
      Router router,
      String template,
      Handler<RoutingContext> validation,
      Handler<RoutingContext> business) {
    router
        .route(HttpMethod.POST, template)
        .setName(template)
        .handler(idempotency.keyCheck())
        .handler(new BodyReader(options.maxBodyBytes()))
        .handler(validation)
        .handler(IfMatch.validation(!template.equals(PAYMENTS)))
        .handler(idempotency)
        .handler(business)
        .failureHandler(PaymentsApi::rejectInvalid);
  }

  /** Adds a call that changes something without a key. */
  private Route write(
      Route route, Handler<RoutingContext> validation, Handler<RoutingContext> business) {
    return route
        .handler(QueryParameters::rejectAny)
        .handler(new BodyReader(options.maxBodyBytes()))
        .handler(validation)
        .handler(business)
        .failureHandler(PaymentsApi::rejectInvalid);
  }

  private static void list(Router router, String template, Handler<RoutingContext> handler) {
    router.get(template).handler(handler).failureHandler(PaymentsApi::rejectInvalid);
  }

  private static Route read(Router router, String template, Handler<RoutingContext> handler) {
    return router
        .get(template)
        .handler(QueryParameters::rejectAny)
        .handler(handler)
        .failureHandler(PaymentsApi::rejectInvalid);
  }

  static void rejectInvalid(RoutingContext ctx) {
    if (ctx.failure() instanceof InvalidRequestException invalid) {
      PaymentProblems.invalidRequest(invalid.errors()).send(ctx);
    } else {
      ctx.next();
    }
  }
}
