package dev.latchkey.psp;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;

/**
 * Leaves out what a PSP, or a proxy before it, says on the way to an answer, such as 102
 * Processing. The client would take it for the answer, free the connection, and give the true
 * answer to the next request there: a payment would be booked on the charge of another. Confined to
 * the connection's event loop.
 */
final class InterimAnswers extends ChannelInboundHandlerAdapter {
  private boolean leavingOut;

  /** Watches an HTTP/1 connection that was just made; to be called on its event loop. */
  static void leaveOut(HttpConnection connection) {
    if (connection instanceof ConnectionBase base) {
      ChannelHandlerContext client = base.channelHandlerContext();
      client.pipeline().addBefore(client.name(), null, new InterimAnswers());
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object part) {
    if (part instanceof HttpResponse response) {
      leavingOut = isInterim(response.status());
    }
    if (!leavingOut) {
      ctx.fireChannelRead(part);
      return;
    }
    if (part instanceof LastHttpContent) {
      leavingOut = false;
    }
    ReferenceCountUtil.release(part);
  }

  private static boolean isInterim(HttpResponseStatus status) {
    return status.codeClass() == HttpStatusClass.INFORMATIONAL
        && status.code() != HttpResponseStatus.SWITCHING_PROTOCOLS.code();
  }
}
