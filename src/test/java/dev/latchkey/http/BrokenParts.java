package dev.latchkey.http;

import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.PurgeResult;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.Payment;
import dev.latchkey.psp.ForwardingPsp;
import dev.latchkey.psp.PspGateway;
import dev.latchkey.psp.PspResult;
import dev.latchkey.web.IdempotencyNode;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;

/** Other parts of a node with one defect each. */
final class BrokenParts {

  private BrokenParts() {}

  /** Takes a PSP that is away for one that said no, for good. */
  static final class OutageIsADecline extends ForwardingPsp {
    OutageIsADecline(PspGateway behind) {
      super(behind);
    }

    @Override
    public Future<PspResult> charge(
        String key, long amount, String currency, String paymentMethod, boolean capture) {
      return super.charge(key, amount, currency, paymentMethod, capture)
          .map(it -> it instanceof PspResult.Unavailable ? new PspResult.Declined("away") : it);
    }
  }

  /** Takes a ledger that is away for an empty one. */
  static final class OutageIsEmpty extends AwayLedger {
    OutageIsEmpty(Ledger behind) {
      super(behind);
    }

    @Override
    public Future<Optional<Payment>> findPayment(String tenant, String id) {
      return super.findPayment(tenant, id).otherwise(Optional.empty());
    }
  }

  /** Tells nobody who waits here that this node is about to end. */
  static final class KeepsWaiters implements IdempotencyNode {
    private final IdempotencyNode behind;

    KeepsWaiters(IdempotencyNode behind) {
      this.behind = behind;
    }

    @Override
    public Future<Boolean> drain(long timeoutMillis) {
      return Future.succeededFuture(true);
    }

    @Override
    public Handler<HttpServerRequest> capture(Handler<HttpServerRequest> router) {
      return behind.capture(router);
    }

    @Override
    public Handler<RoutingContext> capture() {
      return behind.capture();
    }

    @Override
    public int parked() {
      return behind.parked();
    }

    @Override
    public int running() {
      return behind.running();
    }

    @Override
    public Future<List<KeyRecord>> records(String tenant, String key) {
      return behind.records(tenant, key);
    }

    @Override
    public IdempotencyNode startPurging() {
      behind.startPurging();
      return this;
    }

    @Override
    public Future<PurgeResult> purgeExpired(int limit) {
      return behind.purgeExpired(limit);
    }

    @Override
    public void close() {
      behind.close();
    }
  }
}
