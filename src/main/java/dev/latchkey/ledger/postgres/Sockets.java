package dev.latchkey.ledger.postgres;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.internal.SqlConnectionInternal;
import java.util.Optional;

/**
 * Reaches the socket below a pooled connection, which the client's public interface does not: its
 * {@code close} hands the connection back to the pool, with the unanswered statement on it.
 */
final class Sockets {

  private Sockets() {}

  /** Closes the socket at once; the pool drops the connection and what waits on it fails. */
  static void cut(SqlConnection connection) {
    socket(connection).ifPresentOrElse(ChannelHandlerContext::close, connection::close);
  }

  /** Lets an idle connection live: the limit was for how long it takes to log in. */
  static void keepWhenIdle(SqlConnection connection) {
    socket(connection)
        .ifPresent(
            socket -> {
              ChannelPipeline pipeline = socket.pipeline();
              if (pipeline.get(IdleStateHandler.class) != null) {
                pipeline.remove(IdleStateHandler.class);
              }
            });
  }

  private static Optional<ChannelHandlerContext> socket(SqlConnection connection) {
    return connection instanceof SqlConnectionInternal internal
            && internal.unwrap().unwrap() instanceof SocketConnectionBase base
        ? Optional.of(base.socket().channelHandlerContext())
        : Optional.empty();
  }
}
