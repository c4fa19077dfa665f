package dev.latchkey.service.http;

import dev.latchkey.service.ops.DrainState;
import io.netty.channel.ChannelPipeline;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.impl.HttpServerImpl;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.VertxWrapper;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.impl.NetServerImpl;
import io.vertx.core.net.impl.NetServerInternal;
import io.vertx.core.net.impl.NetSocketImpl;

/**
 * Makes HTTP servers whose connections have a {@link ConnectionGuard} from the moment they are
 * accepted, and read heads with a {@link StrictRequestDecoder}. Vert.x tells of a connection only
 * once its first request head is whole, too late for both, so this reaches inside: it leans on
 * {@code initChannel} and {@code connectHandler} of {@code NetServerImpl} in Vert.x 5.0, and the
 * tests of slow clients and of malformed keys fail when a later version moves them.
 */
final class GuardedHttpServer {

  private GuardedHttpServer() {}

  /**
   * Makes a server, not yet listening.
   *
   * @param vertx the instance
   * @param options of the server, without an idle timeout
   * @param limits for its connections
   * @param drain asked when a connection begins, told when one is cut off
   * @return the server; its {@link HttpServer#shutdown()} lets every answer out, and answers what
   *     still arrives, before it closes a connection
   */
  static HttpServer create(
      Vertx vertx, HttpServerOptions options, ConnectionLimits limits, DrainState drain) {
    return new HttpServerImpl(new Guarding((VertxInternal) vertx, options, limits, drain), options);
  }

  private static final class Guarding extends VertxWrapper {

    private final HttpServerOptions http;
    private final ConnectionLimits limits;
    private final DrainState drain;

    Guarding(
        VertxInternal vertx, HttpServerOptions http, ConnectionLimits limits, DrainState drain) {
      super(vertx);
      this.http = http;
      this.limits = limits;
      this.drain = drain;
    }

    @Override
    public NetServerInternal createNetServer(NetServerOptions options) {
      return new NetServerImpl(delegate, options) {
        @Override
        protected void initChannel(ChannelPipeline pipeline, boolean ssl) {
          super.initChannel(pipeline, ssl);
          pipeline.addLast(
              ConnectionGuard.NAME, new ConnectionGuard(pipeline.channel(), limits, drain));
        }

        @Override
        public NetServerInternal connectHandler(Handler<NetSocket> handler) {
          return super.connectHandler(
              socket -> {
                handler.handle(socket);
                StrictRequestDecoder.install(((NetSocketImpl) socket).channel().pipeline(), http);
              });
        }
      };
    }
  }
}
