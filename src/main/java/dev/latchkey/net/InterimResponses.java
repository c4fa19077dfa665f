package dev.latchkey.net;

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
 * Drops interim responses, such as 102 Processing, from an HTTP/1.1 client connection. The Vert.x
 * client takes an interim response for the final one, frees the connection and delivers the final
 * response to the next request. Confined to the connection's event loop.
 */
final class InterimResponses extends ChannelInboundHandlerAdapter {
  private boolean dropping;

  /** Installs the filter on a new HTTP/1.1 connection. Call it on the event loop. */
  static void install(HttpConnection connection) {
    if (connection instanceof ConnectionBase base) {
      ChannelHandlerContext client = base.channelHandlerContext();
      client.pipeline().addBefore(client.name(), null, new InterimResponses());
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object part) {
    if (part instanceof HttpResponse response) {
      dropping = isInterim(response.status());
    }
    if (!dropping) {
      ctx.fireChannelRead(part);
      return;
    }
    if (part instanceof LastHttpContent) {
      dropping = false;
    }
    ReferenceCountUtil.release(part);
  }

  private static boolean isInterim(HttpResponseStatus status) {
    return status.codeClass() == HttpStatusClass.INFORMATIONAL
        && status.code() != HttpResponseStatus.SWITCHING_PROTOCOLS.code();
  }
}
