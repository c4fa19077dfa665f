package dev.latchkey.server;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;

/**
 * Answers a request whose chunks are malformed with 400, after the answers to the requests before
 * it, and closes the connection. If the request has an answer of its own by then, such as a 404 to
 * its head, that one goes out alone. The server never sees such a body end, so nothing that waits
 * for the body runs. Stands behind the {@link ConnectionGuard} from the malformed chunk to the
 * connection's end. Confined to its event loop.
 */
final class BodyRefusal extends ChannelOutboundHandlerAdapter {

  private static final byte[] PROBLEM =
      ("{\"type\":\"/problems/invalid-request\",\"title\":\"Invalid request\",\"status\":400,"
              + "\"detail\":\"the body's chunks are malformed; nothing was done\"}")
          .getBytes(StandardCharsets.UTF_8);

  private int before;
  private boolean begun;
  private boolean refused;

  /**
   * Makes a handler for one connection.
   *
   * @param before the answers that are still owed to requests before this one
   */
  BodyRefusal(int before) {
    this.before = before;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    refuseInTurn(ctx);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (refused) {
      ReferenceCountUtil.release(message);
      promise.tryFailure(new ClosedChannelException());
      return;
    }
    boolean interim =
        message instanceof HttpResponse head
            && head.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    begun |= before == 0 && message instanceof HttpResponse && !interim;
    if (!(message instanceof LastHttpContent) || interim) {
      ctx.write(message, promise);
    } else if (before == 0) {
      ctx.write(message, promise.unvoid().addListener(sent -> ctx.close()));
    } else {
      ctx.write(message, promise);
      before--;
      refuseInTurn(ctx);
    }
  }

  /** Waits one turn of the event loop, for an answer that the server may have at once. */
  private void refuseInTurn(ChannelHandlerContext ctx) {
    if (before == 0) {
      ctx.executor().execute(() -> refuse(ctx));
    }
  }

  private void refuse(ChannelHandlerContext ctx) {
    if (begun) {
      return;
    }
    refused = true;
    FullHttpResponse answer =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST, Unpooled.wrappedBuffer(PROBLEM));
    answer
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, "application/problem+json")
        .set("Link", "</problems/invalid-request>; rel=\"describedby\"")
        .set(HttpHeaderNames.CONTENT_LENGTH, PROBLEM.length)
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    ctx.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
  }
}
