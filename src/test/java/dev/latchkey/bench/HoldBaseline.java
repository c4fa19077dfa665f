package dev.latchkey.bench;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds all requests and responds to them some time after the first: the minimal cost of a parked
 * request. One timer for all.
 */
final class HoldBaseline implements Baseline {

  private static final Buffer BODY = Buffer.buffer("{\"id\":\"pay_4HQPcoJbTV9SUjCPLLlPLc\"}");

  private final long holdMillis;
  private List<RoutingContext> held = new ArrayList<>();

  HoldBaseline(long holdMillis) {
    this.holdMillis = holdMillis;
  }

  @Override
  public boolean validates() {
    return false;
  }

  @Override
  public void handle(RoutingContext ctx) {
    if (ctx.body().asString().contains("pm_card_visa")) {
      ctx.response().setStatusCode(201).end(BODY);
      return;
    }
    if (held.isEmpty()) {
      ctx.vertx().setTimer(holdMillis, ignored -> respondToAll());
    }
    held.add(ctx);
  }

  private void respondToAll() {
    List<RoutingContext> all = held;
    held = new ArrayList<>();
    all.forEach(ctx -> ctx.response().setStatusCode(201).end(BODY));
  }
}
