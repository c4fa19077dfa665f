package dev.latchkey.bench;

import dev.latchkey.payments.UnlayeredPayments;
import dev.latchkey.payments.UnlayeredPayments.Charged;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import io.vertx.sqlclient.Tuple;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Idempotency as usually written: insert a row for the key; charge; store the payment and complete
 * the key in one transaction; one request at a time on a connection. Or the same with a commit
 * after each of the three statements.
 */
final class TextbookBaseline implements Baseline {

  private static final String CLAIM =
      "INSERT INTO bench_keys (tenant, key, fingerprint) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
  private static final String COMPLETE =
      "UPDATE bench_keys SET response = $3 WHERE tenant = $1 AND key = $2 AND response IS NULL";

  private final UnlayeredPayments payments;
  private final PaymentPools pools;
  private final boolean threeCommits;

  TextbookBaseline(UnlayeredPayments payments, PaymentPools pools, boolean threeCommits) {
    this.payments = payments;
    this.pools = pools;
    this.threeCommits = threeCommits;
  }

  @Override
  public boolean validates() {
    return true;
  }

  @Override
  public void handle(RoutingContext ctx) {
    String key = ctx.request().getHeader("Idempotency-Key");
    Buffer fingerprint = fingerprint(ctx.body().buffer());
    Future<Charged> done =
        pools
            .current()
            .preparedQuery(CLAIM)
            .execute(Tuple.of(TENANT, key, fingerprint))
            .compose(
                claimed ->
                    claimed.rowCount() == 1
                        ? payments.charge(ctx, TENANT, key)
                        : Future.failedFuture("not a first use of " + key))
            .compose(charged -> store(key, charged).map(charged));
    UnlayeredPayments.then(
        ctx, done, charged -> UnlayeredPayments.answer(ctx, charged.location(), charged.body()));
  }

  private static Buffer fingerprint(Buffer body) {
    try {
      return Buffer.buffer(MessageDigest.getInstance("SHA-256").digest(body.getBytes()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private Future<?> store(String key, Charged charged) {
    Tuple row = PaymentRow.of(charged.payment());
    Tuple completion = Tuple.of(TENANT, key, charged.body());
    if (threeCommits) {
      return pools
          .current()
          .preparedQuery(PaymentRow.INTO_LEDGER)
          .execute(row)
          .compose(v -> pools.current().preparedQuery(COMPLETE).execute(completion));
    }
    return pools
        .current()
        .withTransaction(
            connection ->
                connection
                    .preparedQuery(PaymentRow.INTO_LEDGER)
                    .execute(row)
                    .compose(v -> connection.preparedQuery(COMPLETE).execute(completion)));
  }
}
