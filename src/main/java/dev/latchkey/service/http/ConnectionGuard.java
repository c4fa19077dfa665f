package dev.latchkey.service.http;

import dev.latchkey.service.ops.DrainState;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.net.impl.ShutdownEvent;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection that owes no response and is idle, slow, malformed or draining. The idle
 * timeout of an HTTP server also counts while a request is parked, so it cannot tell an idle client
 * from a patient one. This handler sits behind the HTTP codec and counts requests and responses.
 *
 * <ul>
 *   <li>No complete request head within the idle limit, from the start or the last response:
 *       closed.
 *   <li>A body that is not complete within the body limit: closed (HTTP/2: the stream is reset).
 *       For a pipelined request the limit begins with the response to the request before it.
 *   <li>A response that the client does not read within the idle limit: closed (HTTP/2: the stream
 *       is reset).
 *   <li>A pending response: kept open, however long.
 *   <li>A body with malformed chunks: 400 in its turn, then closed. A GET or HEAD does not depend
 *       on its body and gets its own response.
 *   <li>A body that is not complete when the drain begins: 503 if it is the only pending request
 *       (HTTP/2: the stream is refused).
 * </ul>
 *
 * One periodic check applies all limits; its period is half the shorter limit, so each takes effect
 * within one and a half times its value. Requests set no timers.
 *
 * <p>It has the place and the name of Netty's idle handler, because Vert.x inserts the codec before
 * a handler of that name. Confined to its event loop.
 */
final class ConnectionGuard extends IdleStateHandler {

  /** The name by which Vert.x finds the place for the codec. */
  static final String NAME = "idle";

  private final Channel channel;
  private final OpenConnections connections;
  private final DrainState drain;
  private final Http1Exchanges http1;
  private final Http2Streams http2;
  private final long checkNanos;
  private @Nullable ScheduledFuture<?> check;

  /** Nothing that arrives is handled any more. */
  private boolean discarding;

  private boolean brokenByPeer;

  ConnectionGuard(Channel channel, Listener listener) {
    super(0, 0, 0);
    this.channel = channel;
    this.connections = listener.connections();
    this.drain = listener.drain();
    this.http1 = new Http1Exchanges(listener.limits(), channel);
    this.http2 = new Http2Streams(listener.limits());
    this.checkNanos = listener.limits().checkNanos();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    super.handlerAdded(ctx);
    drain.opened();
    channel.closeFuture().addListener(closed -> drain.closed());
    if (!connections.add(channel, () -> pending() == 0)) {
      channel.close();
      return;
    }
    check =
        ctx.executor()
            .scheduleWithFixedDelay(() -> check(ctx), checkNanos, checkNanos, TimeUnit.NANOSECONDS);
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

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
    if (discarding) {
      ReferenceCountUtil.release(message);
      return;
    }
    http1.read(message);
    if (message instanceof LastHttpContent end
        && !(message instanceof HttpRequest)
        && end.decoderResult().isFailure()
        && http2Handler(ctx) == null
        && !http1.isRespondingToLatest()) { // else the response is cut
      end.release();
      refuseMalformedBody(ctx);
    } else {
      super.channelRead(ctx, message);
    }
  }

  /** Pipelined behind others, the request gets its 400 from the router in its turn. */
  private void refuseMalformedBody(ChannelHandlerContext ctx) {
    discarding = true;
    http1.markMalformed();
    if (http1.unanswered() == 0) {
      closeAfterWrites(ctx);
    } else {
      http1.refuseLatest(RequestProblems.malformedChunks());
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise)
      throws Exception {
    if (message instanceof HttpResponse head && isEnding() && http1.unanswered() == 1) {
      head.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    if (http1.written(message)) {
      super.write(ctx, message, promise.unvoid().addListener(sent -> responseSent(ctx)));
    } else {
      super.write(ctx, message, promise);
    }
  }

  /** Whether the connection is to be closed as soon as no response is pending. */
  private boolean isEnding() {
    return drain.isDraining() || http1.isMalformed();
  }

  private void responseSent(ChannelHandlerContext ctx) {
    http1.sent();
    if (isEnding()) {
      // Later: if the write failed at once, the codec has not finished it.
      ctx.executor().execute(() -> closeWhenDone(ctx));
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event instanceof ShutdownEvent) {
      drain(ctx); // Vert.x would drop arriving requests without a response
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
    reportCutOff(ctx);
    super.close(ctx, promise);
  }

  private void reportCutOff(ChannelHandlerContext ctx) {
    if (drain.isDraining() && pending() > 0 && !brokenByPeer && !isAllSent(ctx)) {
      drain.cutOff();
    }
  }

  /** Whether every response has left, although its write may not be reported yet. */
  private boolean isAllSent(ChannelHandlerContext ctx) {
    ChannelOutboundBuffer unsent = ctx.channel().unsafe().outboundBuffer();
    return http2Handler(ctx) == null
        && http1.unanswered() == 0
        && unsent != null
        && unsent.isEmpty();
  }

  private void drain(ChannelHandlerContext ctx) {
    Http2ConnectionHandler handler = http2Handler(ctx);
    if (handler != null) {
      handler
          .connection()
          .addListener(
              Http2Streams.onStreamClosed(() -> ctx.executor().execute(() -> closeWhenDone(ctx))));
      http2.refuseArriving(ctx.pipeline().context(handler), handler);
    } else if (http1.isReceiving()) {
      // A pipelined request is left to the router, which refuses it in its turn.
      discarding |= http1.refuseLatest(RequestProblems.shuttingDown());
    }
    closeWhenDone(ctx);
  }

  private void closeWhenDone(ChannelHandlerContext ctx) {
    if (isEnding() && pending() == 0) {
      closeAfterWrites(ctx);
    }
  }

  private static void closeAfterWrites(ChannelHandlerContext ctx) {
    ctx.channel().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(f -> ctx.channel().close());
  }

  private int pending() {
    Http2ConnectionHandler handler = channel.pipeline().get(Http2ConnectionHandler.class);
    return handler == null ? http1.pending() : handler.connection().numActiveStreams();
  }

  private void check(ChannelHandlerContext ctx) {
    long now = System.nanoTime();
    Http2ConnectionHandler handler = http2Handler(ctx);
    if (handler != null) {
      if (http2.check(ctx.pipeline().context(handler), handler, now)) {
        ctx.channel().close(); // through all handlers: one of them sends GOAWAY
      }
    } else if (http1.isIdleOrSlow(now)) {
      // From here: Vert.x, behind this, would first wait until the client has read everything.
      reportCutOff(ctx);
      ctx.close();
    }
  }

  private static @Nullable Http2ConnectionHandler http2Handler(ChannelHandlerContext ctx) {
    return ctx.pipeline().get(Http2ConnectionHandler.class);
  }
}
