package dev.latchkey.service.http;

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
 * Creates HTTP servers whose connections have a {@link ConnectionGuard} from the moment they are
 * accepted, and a {@link StrictRequestDecoder}. Vert.x announces a connection only after its first
 * request head, too late for both. So this class overrides {@code initChannel} and {@code
 * connectHandler} of {@code NetServerImpl} in Vert.x 5.0. The tests of slow clients and malformed
 * keys fail if a later version moves them.
 */
final class GuardedHttpServer {

  private GuardedHttpServer() {}

  /**
   * Creates a server that does not listen yet.
   *
   * @param vertx the instance
   * @param options of the server, without an idle timeout
   * @param listener its limits, connections and drain
   * @return the server; its {@link HttpServer#shutdown()} completes every response, and responds to
   *     arriving requests, before it closes a connection
   */
  static HttpServer create(Vertx vertx, HttpServerOptions options, Listener listener) {
    return new HttpServerImpl(new Guarding((VertxInternal) vertx, options, listener), options);
  }

  private static final class Guarding extends VertxWrapper {

    private final HttpServerOptions http;
    private final Listener listener;

    Guarding(VertxInternal vertx, HttpServerOptions http, Listener listener) {
      super(vertx);
      this.http = http;
      this.listener = listener;
    }

    @Override
    public NetServerInternal createNetServer(NetServerOptions options) {
      return new NetServerImpl(delegate, options) {
        @Override
        protected void initChannel(ChannelPipeline pipeline, boolean ssl) {
          super.initChannel(pipeline, ssl);
          pipeline.addLast(ConnectionGuard.NAME, new ConnectionGuard(pipeline.channel(), listener));
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
