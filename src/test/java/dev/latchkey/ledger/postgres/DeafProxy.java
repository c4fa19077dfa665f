package dev.latchkey.ledger.postgres;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.pgclient.PgConnectOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * A way to a database that can be lost without a word, as through a firewall that forgets: what was
 * connected stays connected and is never answered again, what connects later is served.
 */
final class DeafProxy {

  private final NetServer server;
  private final NetClient client;
  private final PgConnectOptions target;
  private final List<NetSocket> sockets = new ArrayList<>();

  private DeafProxy(Vertx vertx, PgConnectOptions target) {
    this.target = target;
    this.client = vertx.createNetClient();
    this.server = vertx.createNetServer().connectHandler(this::connect);
  }

  static Future<DeafProxy> start(Vertx vertx, PgConnectOptions target) {
    DeafProxy proxy = new DeafProxy(vertx, target);
    return proxy.server.listen(0, "127.0.0.1").map(proxy);
  }

  PgConnectOptions connectOptions() {
    return new PgConnectOptions(target).setHost("127.0.0.1").setPort(server.actualPort());
  }

  /** Forgets all connections that there are. */
  void forget() {
    synchronized (sockets) {
      sockets.forEach(socket -> socket.handler(lost -> {}));
      sockets.clear();
    }
  }

  Future<Void> close() {
    return server.close().eventually(client::close);
  }

  private void connect(NetSocket near) {
    near.pause();
    client
        .connect(target.getPort(), target.getHost())
        .onSuccess(
            far -> {
              near.handler(far::write);
              far.handler(near::write);
              near.closeHandler(closed -> far.close());
              synchronized (sockets) {
                sockets.add(near);
                sockets.add(far);
              }
              near.resume();
            })
        .onFailure(refused -> near.close());
  }
}
