package dev.latchkey.web;

import dev.latchkey.core.IdempotencyListener;
import dev.latchkey.core.IdempotencyListener.Limit;
import dev.latchkey.net.TenantBudget;
import dev.latchkey.net.TenantBudget.Result;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Limits the memory of requests without a response, unfinished uploads included: their headers,
 * bodies and parsed commands. Above the limit a request gets 503 {@code overloaded}. Mount it after
 * authentication; a reader of bodies counts them with {@link #takeBody}. Safe for use by any
 * thread.
 */
public final class HeldRequests implements Handler<RoutingContext> {

  private static final String SHARE = HeldRequests.class.getName();

  private final TenantBudget budget;
  private final Function<RoutingContext, String> tenantOf;
  private final IdempotencyListener listener;

  /**
   * Creates a handler.
   *
   * @param budget in bytes, shared by all routers of the node
   * @param tenantOf identifies the caller
   * @param listener is told of refused requests
   */
  public HeldRequests(
      TenantBudget budget,
      Function<RoutingContext, String> tenantOf,
      IdempotencyListener listener) {
    this.budget = budget;
    this.tenantOf = tenantOf;
    this.listener = listener;
  }

  @Override
  public void handle(RoutingContext ctx) {
    Share share = new Share(tenantOf.apply(ctx));
    ctx.put(SHARE, share);
    if (!share.take(headBytes(ctx.request()))) {
      overloaded().send(ctx);
      return;
    }
    ctx.addEndHandler(ended -> share.end());
    ctx.next();
  }

  private static long headBytes(HttpServerRequest request) {
    long bytes = request.uri().length();
    for (Map.Entry<String, String> line : request.headers()) {
      bytes += line.getKey().length() + line.getValue().length();
    }
    return bytes;
  }

  /**
   * Counts bytes of a request's body until it has its response.
   *
   * @param ctx the request; one that did not pass this handler has no limit
   * @param bytes more bytes of its body
   * @return false if they exceed the limit: send {@link #overloaded}
   */
  public static boolean takeBody(RoutingContext ctx, long bytes) {
    Share share = ctx.get(SHARE);
    return share == null || share.takeBody(bytes);
  }

  /**
   * Stops counting the body of a request that holds it no more.
   *
   * @param ctx the request
   */
  public static void dropBody(RoutingContext ctx) {
    @Nullable Share share = ctx.get(SHARE);
    if (share != null) {
      share.dropBody();
    }
  }

  /** Returns the problem of a request that was refused. */
  public static Problem overloaded() {
    return Problem.of(
        503,
        ProblemType.OVERLOADED,
        "The node holds too many bytes of requests. Nothing was executed. Send the request again"
            + " later.");
  }

  /** What one request holds. */
  private final class Share {
    private final String tenant;
    private long taken;
    private long body;
    private boolean ended;

    Share(String tenant) {
      this.tenant = tenant;
    }

    synchronized boolean take(long bytes) {
      Result result = ended ? Result.TAKEN : budget.take(tenant, bytes);
      if (result != Result.TAKEN) {
        listener.limitReached(result == Result.FULL ? Limit.HELD : Limit.HELD_PER_TENANT);
        return false;
      }
      taken += ended ? 0 : bytes;
      return true;
    }

    synchronized boolean takeBody(long bytes) {
      long before = taken;
      boolean isTaken = take(bytes);
      body += taken - before;
      return isTaken;
    }

    synchronized void dropBody() {
      giveBack(body);
      body = 0;
    }

    synchronized void end() {
      ended = true;
      giveBack(taken);
    }

    private void giveBack(long bytes) {
      budget.giveBack(tenant, bytes);
      taken -= bytes;
    }
  }
}
