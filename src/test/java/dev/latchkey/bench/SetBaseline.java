package dev.latchkey.bench;

import dev.latchkey.payments.UnlayeredPayments;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;

/** Without idempotency on Redis: validate, charge, one SET on a pipelined connection, respond. */
final class SetBaseline implements Baseline {

  private final UnlayeredPayments payments;
  private final Future<RedisConnection> connection;

  SetBaseline(Vertx vertx, UnlayeredPayments payments, String uri) {
    this.payments = payments;
    connection = Redis.createClient(vertx, uri).connect();
  }

  @Override
  public boolean validates() {
    return true;
  }

  @Override
  public void handle(RoutingContext ctx) {
    String key = ctx.request().getHeader("Idempotency-Key");
    UnlayeredPayments.then(
        ctx,
        payments
            .charge(ctx, TENANT, key)
            .compose(
                charged ->
                    connection
                        .compose(
                            to ->
                                to.send(
                                    Request.cmd(Command.SET)
                                        .arg(charged.payment().id())
                                        .arg(charged.body())))
                        .map(reply -> charged)),
        charged -> UnlayeredPayments.answer(ctx, charged.location(), charged.body()));
  }
}
