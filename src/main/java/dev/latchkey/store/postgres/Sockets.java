package dev.latchkey.store.postgres;

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
 * Reaches the socket below a connection, which the client's public interface does not: its close
 * says goodbye and waits for the server, and so does that of its factory, in the login too.
 */
final class Sockets {

  private Sockets() {}

  /** Options that cut a connection on which a server is silent for so long; see {@link #keep}. */
  static NetClientOptions cutWhenSilent(long limitMillis) {
    return new NetClientOptions()
        .setConnectTimeout((int) limitMillis)
        .setReadIdleTimeout((int) limitMillis)
        .setIdleTimeoutUnit(TimeUnit.MILLISECONDS);
  }

  /** Lets a connection be silent from now on: the limit was for the login. */
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

  /** Closes the socket at once; what waits for an answer on it fails. */
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
