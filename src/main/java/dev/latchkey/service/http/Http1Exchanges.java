package dev.latchkey.service.http;

import dev.latchkey.web.Problem;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.AttributeKey;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;

/**
 * Requests and responses of one HTTP/1.1 connection, as seen on the wire. A request is pending
 * until its response has left the process; it is unanswered until its response is written. Confined
 * to its event loop.
 */
public final class Http1Exchanges {

  private static final AttributeKey<Http1Exchanges> OF_CHANNEL =
      AttributeKey.valueOf(Http1Exchanges.class, "exchanges");

  private final ConnectionLimits limits;

  /** The request that the router handles and whose response is not complete. */
  private @Nullable RoutingContext routed;

  private int pending;
  private int unsent;
  private boolean receiving;
  private boolean responding;
  private boolean malformed;
  private long idleSinceNanos = System.nanoTime();
  private long receivingSinceNanos;
  private long unsentSinceNanos;

  Http1Exchanges(ConnectionLimits limits, Channel channel) {
    this.limits = limits;
    channel.attr(OF_CHANNEL).set(this);
  }

  /**
   * Registers a request that the router handles.
   *
   * @param ctx the request, on its event loop
   * @return false if its body is known to be malformed: it must get {@link
   *     RequestProblems#malformedChunks} and nothing else
   */
  public static boolean accepts(RoutingContext ctx) {
    if (ctx.request().version() != HttpVersion.HTTP_2
        && ctx.request().connection() instanceof HttpServerConnection connection) {
      Http1Exchanges exchanges =
          connection.channelHandlerContext().channel().attr(OF_CHANNEL).get();
      if (exchanges != null) {
        exchanges.routed = ctx;
        return !(exchanges.malformed && exchanges.unanswered() == 1 && dependsOnBody(ctx));
      }
    }
    return true;
  }

  private static boolean dependsOnBody(RoutingContext ctx) {
    HttpMethod method = ctx.request().method();
    return !method.equals(HttpMethod.GET) && !method.equals(HttpMethod.HEAD);
  }

  /** Counts a part of a request. */
  void read(Object message) {
    if (message instanceof HttpRequest) {
      pending++;
      receiving = true;
      receivingSinceNanos = System.nanoTime();
    }
    if (message instanceof LastHttpContent) {
      receiving = false;
    }
  }

  /** Counts a part of a response; true for its end. */
  boolean written(Object message) {
    if (message instanceof HttpResponse head) {
      if (head.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
        return false;
      }
      responding = true;
    }
    if (!(message instanceof LastHttpContent)) {
      return false;
    }
    responding = false;
    routed = null;
    unsent++;
    unsentSinceNanos = System.nanoTime();
    return true;
  }

  /** Counts a response that has left completely. */
  void sent() {
    pending--;
    unsent--;
    idleSinceNanos = System.nanoTime();
    if (pending == 1) {
      receivingSinceNanos = idleSinceNanos;
    }
  }

  /** Requests whose response has not left completely. */
  int pending() {
    return pending;
  }

  /** Requests whose response is not written completely. */
  int unanswered() {
    return pending - unsent;
  }

  /** Whether the body of the latest request is still arriving. */
  boolean isReceiving() {
    return receiving;
  }

  /** Whether the latest request has its response in part. */
  boolean isRespondingToLatest() {
    return responding && unanswered() == 1;
  }

  /** Whether the body of the latest request is malformed. */
  boolean isMalformed() {
    return malformed;
  }

  /** Records that the body of the latest request is malformed. */
  void markMalformed() {
    malformed = true;
  }

  /**
   * Responds to the latest request in the router's place, if it is the only unanswered one and its
   * handlers wait for the body, so that none of them will respond.
   *
   * @return whether it did
   */
  boolean refuseLatest(Problem problem) {
    RoutingContext request = routed;
    if (request == null || unanswered() != 1 || responding || !dependsOnBody(request)) {
      return false;
    }
    ErrorResponses.send(request, problem);
    return true;
  }

  /** Whether the client exceeds a limit while it waits for no response. */
  boolean isIdleOrSlow(long nowNanos) {
    boolean idle = pending == 0 && nowNanos - idleSinceNanos >= limits.idleNanos();
    boolean slowBody =
        receiving && pending <= 1 && nowNanos - receivingSinceNanos >= limits.bodyNanos();
    boolean slowReader = unsent > 0 && nowNanos - unsentSinceNanos >= limits.idleNanos();
    return idle || slowBody || slowReader;
  }
}
