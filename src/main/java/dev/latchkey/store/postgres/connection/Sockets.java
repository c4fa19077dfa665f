package dev.latchkey.store.postgres.connection;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.timeout.IdleStateHandler;
import io.vertx.core.net.NetClientOptions;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.impl.SocketConnectionBase;
import io.vertx.sqlclient.internal.SqlConnectionInternal;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Access to the socket below a connection. The client's own methods to close a connection or its
 * factory wait for the server, during the login too.
 */
final class Sockets {

  private Sockets() {}

  /** Options that cut a connection whose server is silent for longer than a limit. */
  static NetClientOptions cutWhenSilent(long limitMillis) {
    return new NetClientOptions()
        .setConnectTimeout((int) limitMillis)
        .setReadIdleTimeout((int) limitMillis)
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
  }

  /** Removes the limit of {@link #cutWhenSilent} after the login. */
  static void keep(SqlConnection connection) {
    socket(connection)
        .ifPresent(
            socket -> {
              ChannelPipeline pipeline = socket.pipeline();
              if (pipeline.get(IdleStateHandler.class) != null) {
                pipeline.remove(IdleStateHandler.class);
              }
            });
  }

  /** Closes the socket at once; pending statements fail. */
  static void cut(SqlConnection connection) {
    socket(connection).ifPresentOrElse(ChannelHandlerContext::close, connection::close);
  }

  private static Optional<ChannelHandlerContext> socket(SqlConnection connection) {
    return connection instanceof SqlConnectionInternal internal
            && internal.unwrap().unwrap() instanceof SocketConnectionBase base
        ? Optional.of(base.socket().channelHandlerContext())
        : Optional.empty();
  }
}
