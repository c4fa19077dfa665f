package dev.latchkey.payments;

import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.LedgerEffect.InsertPayment;
import dev.latchkey.ledger.Payment;
import dev.latchkey.ledger.PaymentDetails;
import dev.latchkey.ledger.memory.MemoryLedger;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.payments.OperationResult.Failed;
import dev.latchkey.payments.OperationResult.Unrecorded;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.PspResult;
import dev.latchkey.psp.simulator.TestPaymentMethod;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * {@code POST /v1/payments} as {@link PaymentsApi} serves it, with the idempotency layer left out:
 * same body handler, same validation, same call to the PSP, same bytes of the answer. What is
 * stored, and when, is up to the caller.
 */
public final class UnlayeredPayments {

  /**
   * A payment that the PSP has charged, not stored yet.
   *
   * @param payment what to store
   * @param location where it will be
   * @param body what the client reads
   */
  public record Charged(Payment payment, String location, Buffer body) {}

  private final int maxBodyBytes;
  private final PspGateway psp;
  private final CreatePayment create;

  /**
   * Makes the route's parts.
   *
   * @param psp charges
   * @param maxBodyBytes largest body of a request
   */
  public UnlayeredPayments(PspGateway psp, int maxBodyBytes) {
    this.maxBodyBytes = maxBodyBytes;
    this.psp = psp;
    // Asked only about a charge that the ledger refuses, which no baseline does.
    Ledger ledger = new MemoryLedger(MemoryBudget.ofHeap());
    InstantSource clock = InstantSource.system();
    create = new CreatePayment(ledger, psp, clock, IdSource.timeOrdered(clock));
  }

  /** Adds the route with validation. */
  public void mount(Router router, Handler<RoutingContext> business) {
    PaymentSchema schema = new PaymentSchema(TestPaymentMethod::isKnown);
    router
        .route(HttpMethod.POST, "/v1/payments")
        .handler(new BodyReader(maxBodyBytes))
        .handler(new RequestValidation<>(true, (ctx, json) -> schema.create(json)))
        .handler(business);
  }

  /** Adds the route with nothing before the business but the reading of the body. */
  public void mountBare(Router router, Handler<RoutingContext> business) {
    router
        .route(HttpMethod.POST, "/v1/payments")
        .handler(BodyHandler.create(false).setBodyLimit(maxBodyBytes))
        .handler(business);
  }

  /**
   * Charges what the request asks for.
   *
   * @param key goes to the PSP as it is
   */
  public Future<Charged> charge(RoutingContext ctx, String tenant, String key) {
    Command.Create command = RequestValidation.command(ctx, Command.Create.class);
    return create
        .run(new PaymentOperation.Attempt(tenant, key, step -> key), command)
        .compose(
            conclusion ->
                conclusion instanceof Unrecorded booked
                    ? Future.succeededFuture(charged(booked))
                    : Future.failedFuture(
                        "not charged: "
                            + (conclusion instanceof Failed f ? f.problem() : conclusion)));
  }

  /** Charges and makes nothing of it, not even the answer. */
  public Future<PspResult> chargeAlone(RoutingContext ctx, String key) {
    Command.Create command = RequestValidation.command(ctx, Command.Create.class);
    PaymentDetails details = command.details();
    return psp.charge(
        key, details.amount(), details.currency(), details.paymentMethod(), command.capture());
  }

  private static Charged charged(Unrecorded booked) {
    Payment payment = ((InsertPayment) booked.effect()).payment();
    return new Charged(
        payment, booked.response().location().orElseThrow(), booked.response().body().toBuffer());
  }

  /** Answers as the service does. */
  public static void answer(RoutingContext ctx, String location, Buffer body) {
    ctx.response()
        .setStatusCode(201)
        .putHeader("Content-Type", "application/json")
        .putHeader("Location", location)
        .putHeader("ETag", EntityTags.of(1))
        .end(body);
  }

  /** Goes on with a request on its own context; a failure is answered 500. */
  public static <T> void then(RoutingContext ctx, Future<T> future, Consumer<T> next) {
    ContextCallback.onSuccess(ctx, future, next);
  }
}
