package dev.latchkey.service;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.impl.HttpServerConnection;
import io.vertx.core.net.impl.ShutdownEvent;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends one connection when nobody is owed anything on it: when it is idle or slow for too long, or
 * when the service drains. An HTTP server's own idle timeout also counts while a request is parked,
 * so it cannot tell an idle client from a patient one; this handler sits behind the HTTP codec and
 * counts what was asked and what was answered on the wire.
 *
 * <ul>
 *   <li>No whole request head within the idle time, from the start or from the last answer: closed.
 *       A client that sends its header byte by byte is idle in this sense.
 *   <li>A body that is not whole within the body time: closed (HTTP/2: the stream is reset). Behind
 *       another request the time begins with that one's answer, until when nobody may read on.
 *   <li>An answer that the client does not read within the idle time: closed (HTTP/2: the stream is
 *       reset).
 *   <li>An answer that is owed: left alone, however long.
 *   <li>A body of malformed chunks: answered by a {@link BodyRefusal}, then closed.
 *   <li>A body that is not whole when the drain begins: its request is answered that the service
 *       shuts down, if nobody else is owed an answer (HTTP/2: the stream is refused).
 * </ul>
 *
 * One check a period, half the shorter of both times, serves all of it, so each is cut within one
 * and a half times its limit; requests set no timers.
 *
 * <p>It takes the place and name of Netty's idle handler, since Vert.x puts the codec right before
 * a handler of that kind. Confined to its event loop.
 */
final class ConnectionGuard extends IdleStateHandler {

  /** The name under which Vert.x looks for the handler to put the codec before. */
  static final String NAME = "idle";

  private static final AttributeKey<ConnectionGuard> OF_CHANNEL =
      AttributeKey.valueOf(ConnectionGuard.class, "guard");

  private final ConnectionLimits limits;
  private final DrainState drain;
  private final Http2Streams http2;
  private @Nullable ScheduledFuture<?> check;
  private @Nullable HttpRequest receiving;

  /** The request that the router has seen and that has no whole answer yet. */
  private @Nullable RoutingContext routed;

  private boolean refused;
  private boolean brokenByPeer;
  private boolean answering;
  private int owed;
  private int unread;
  private long idleSinceNanos;
  private long receivingSinceNanos;
  private long unreadSinceNanos;

  ConnectionGuard(ConnectionLimits limits, DrainState drain) {
    super(0, 0, 0);
    this.limits = limits;
    this.drain = drain;
    this.http2 = new Http2Streams(limits);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    super.handlerAdded(ctx);
    ctx.channel().attr(OF_CHANNEL).set(this);
    drain.opened();
    ctx.channel().closeFuture().addListener(closed -> drain.closed());
    idleSinceNanos = System.nanoTime();
    long period = limits.checkNanos();
    check =
        ctx.executor()
            .scheduleWithFixedDelay(() -> check(ctx), period, period, TimeUnit.NANOSECONDS);
    if (drain.isDraining()) {
      ctx.executor().execute(() -> drain(ctx));
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) throws Exception {
    ScheduledFuture<?> running = check;
    if (running != null) {
      running.cancel(false);
    }
    super.handlerRemoved(ctx);
  }

  /**
   * Takes note of a request that the router has seen, until it is answered: if its body turns out
   * malformed, or is not whole when the drain begins, it is answered from here.
   *
   * @param ctx the request, on its event loop
   */
  static void routed(RoutingContext ctx) {
    // Streams of HTTP/2 are refused one by one, without an answer.
    if (ctx.request().version() != HttpVersion.HTTP_2
        && ctx.request().connection() instanceof HttpServerConnection connection) {
      ConnectionGuard guard = connection.channelHandlerContext().channel().attr(OF_CHANNEL).get();
      if (guard != null) {
        guard.routed = ctx;
      }
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    if (refused) {
      // What it was part of is answered: nothing may run for the sake of its end.
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpRequest head) {
      owed++;
      receiving = head;
      receivingSinceNanos = System.nanoTime();
    }
    if (message instanceof LastHttpContent end) {
      HttpRequest head = receiving;
      receiving = null;
      boolean malformed = end.decoderResult().isFailure() && !(message instanceof HttpRequest);
      if (malformed && head != null && refusesBody(ctx, head)) {
        end.release();
        return;
      }
    }
    super.channelRead(ctx, message);
  }

  /** Whether a malformed body is answered here; else it cuts an answer that has begun. */
  private boolean refusesBody(ChannelHandlerContext ctx, HttpRequest head) {
    int unanswered = owed - unread;
    if ((unanswered == 1 && answering) || http2Handler(ctx) != null) {
      return false;
    }
    if (unanswered == 0) {
      closeAfterWrites(ctx);
      return true;
    }
    ctx.pipeline()
        .addAfter(
            ctx.name(),
            null,
            new BodyRefusal(
                unanswered - 1,
                InvalidRequests.path(head.uri()),
                () -> Optional.ofNullable(routed)));
    return true;
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise)
      throws Exception {
    boolean interim = isInterim(message);
    if (drain.isDraining()
        && !interim
        && owed - unread == 1
        && message instanceof HttpResponse head) {
      head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    if (message instanceof HttpResponse && !interim) {
      answering = true;
    }
    if (message instanceof LastHttpContent && !interim) {
      answering = false;
      routed = null;
      unread++;
      unreadSinceNanos = System.nanoTime();
      super.write(ctx, message, promise.unvoid().addListener(sent -> answered(ctx)));
    } else {
      super.write(ctx, message, promise);
    }
  }

  /** Whether this is an answer before the answer, such as {@code 100 Continue}. */
  static boolean isInterim(Object message) {
    return message instanceof HttpResponse head
        && head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event instanceof ShutdownEvent) {
      drain(ctx); // and not Vert.x, which would drop what still arrives without an answer
    } else {
      super.userEventTriggered(ctx, event);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) throws Exception {
    brokenByPeer |= cause instanceof IOException;
    super.exceptionCaught(ctx, cause);
  }

  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) throws Exception {
    noteCutOff(ctx);
    super.close(ctx, promise);
  }

  private void noteCutOff(ChannelHandlerContext ctx) {
    if (drain.isDraining() && answersOwed(ctx) > 0 && !brokenByPeer && !isAllOut(ctx)) {
      drain.cutOff();
    }
  }

  /** Whether every answer has left, though who waits for that may not be told of it yet. */
  private boolean isAllOut(ChannelHandlerContext ctx) {
    ChannelOutboundBuffer unsent = ctx.channel().unsafe().outboundBuffer();
    return http2Handler(ctx) == null && owed == unread && unsent != null && unsent.isEmpty();
  }

  private void answered(ChannelHandlerContext ctx) {
    owed--;
    unread--;
    idleSinceNanos = System.nanoTime();
    if (owed == 1) {
      receivingSinceNanos = idleSinceNanos;
    }
    if (drain.isDraining()) {
      // Later: where the write failed at once, the codec is still in the middle of it.
      ctx.executor().execute(() -> closeWhenDrained(ctx));
    }
  }

  private void drain(ChannelHandlerContext ctx) {
    Http2ConnectionHandler handler = http2Handler(ctx);
    if (handler != null) {
      handler
          .connection()
          .addListener(
              Http2Streams.onStreamClosed(
                  () -> ctx.executor().execute(() -> closeWhenDrained(ctx))));
      http2.refuseArriving(ctx.pipeline().context(handler), handler);
    } else {
      refuseArriving();
    }
    closeWhenDrained(ctx);
  }

  /** One that was read ahead, behind others, is left to the router, which refuses it in turn. */
  private void refuseArriving() {
    RoutingContext request = routed;
    if (request != null && receiving != null && !answering && owed - unread == 1) {
      refused = true;
      ErrorAnswers.answer(request, ServiceRouter.shuttingDown());
    }
  }

  private void closeWhenDrained(ChannelHandlerContext ctx) {
    if (drain.isDraining() && answersOwed(ctx) == 0) {
      closeAfterWrites(ctx);
    }
  }

  private static void closeAfterWrites(ChannelHandlerContext ctx) {
    ctx.channel().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(f -> ctx.channel().close());
  }

  private int answersOwed(ChannelHandlerContext ctx) {
    Http2ConnectionHandler handler = http2Handler(ctx);
    return handler == null ? owed : handler.connection().numActiveStreams();
  }

  private void check(ChannelHandlerContext ctx) {
    long now = System.nanoTime();
    Http2ConnectionHandler handler = http2Handler(ctx);
    if (handler != null) {
      if (http2.check(ctx.pipeline().context(handler), handler, now)) {
        // By way of all handlers: one of them says GOAWAY.
        ctx.channel().close();
      }
    } else if (isIdleOrSlow(now)) {
      // From here, since Vert.x, behind this, would first wait until all that it wrote is read.
      noteCutOff(ctx);
      ctx.close();
    }
  }

  private boolean isIdleOrSlow(long now) {
    boolean idle = owed == 0 && now - idleSinceNanos >= limits.idleNanos();
    boolean nobodyElseIsOwed = owed <= 1;
    boolean slowBody =
        receiving != null && nobodyElseIsOwed && now - receivingSinceNanos >= limits.bodyNanos();
    boolean slowReader = unread > 0 && now - unreadSinceNanos >= limits.idleNanos();
    return idle || slowBody || slowReader;
  }

  private static @Nullable Http2ConnectionHandler http2Handler(ChannelHandlerContext ctx) {
    return ctx.pipeline().get(Http2ConnectionHandler.class);
  }
}
