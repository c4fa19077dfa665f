package dev.latchkey.service;

import dev.latchkey.web.Problem;
import io.netty.buffer.ByteBuf;
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
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.vertx.ext.web.RoutingContext;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Answers a request whose chunks are malformed with 400, after the answers to the requests before
 * it, and closes the connection. If the request has an answer of its own by then, such as a 404 to
 * its head, that one goes out alone. The server never sees such a body end, so nothing that waits
 * for the body runs. A request with an idempotency key that the router has seen is answered there,
 * so that its answer says where the key stands; nobody else answers one before its body is whole.
 * Stands behind the {@link ConnectionGuard} from the malformed chunk to the connection's end.
 * Confined to its event loop.
 */
final class BodyRefusal extends ChannelOutboundHandlerAdapter {

  private final String path;
  private final Supplier<Optional<RoutingContext>> routed;
  private int before;
  private boolean begun;
  private boolean refused;

  /**
   * Makes a handler for one connection.
   *
   * @param before the answers that are still owed to requests before this one
   * @param path of this one
   * @param routed finds the request that the router has seen and that has no whole answer yet
   */
  BodyRefusal(int before, String path, Supplier<Optional<RoutingContext>> routed) {
    this.before = before;
    this.path = path;
    this.routed = routed;
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
    boolean interim = ConnectionGuard.isInterim(message);
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
    Optional<RoutingContext> keyed = routed.get().filter(BodyRefusal::isKeyedAndUnanswered);
    if (keyed.isPresent()) {
      ErrorAnswers.answer(
          keyed.get(), InvalidRequests.malformedChunks().header("Connection", "close"));
      return;
    }
    refused = true;
    Problem problem = InvalidRequests.malformedChunks();
    ByteBuf body =
        Unpooled.wrappedBuffer(problem.toJson(path).encode().getBytes(StandardCharsets.UTF_8));
    FullHttpResponse answer =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST, body);
    answer
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, "application/problem+json")
        .set("Link", "</problems/" + problem.name() + ">; rel=\"describedby\"")
        .set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes())
        .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    ctx.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
  }

  private static boolean isKeyedAndUnanswered(RoutingContext request) {
    return request.response().headers().contains("Idempotency-Key") && !request.response().ended();
  }
}
