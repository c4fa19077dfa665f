package dev.latchkey.bench;

import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;

/**
 * The pool of one verticle. Its size is chosen for the whole process, while nothing is under way,
 * so that the best size is found on a server that is warm. Confined to its event loop.
 */
final class PaymentPools {

  private static volatile int chosen = 4;

  private final Vertx vertx;
  private final String uri;
  private final int instances;
  private int size;
  private Pool pool;

  PaymentPools(Vertx vertx, String uri, int instances) {
    this.vertx = vertx;
    this.uri = uri;
    this.instances = instances;
  }

  /**
   * Chooses how many connections the process has.
   *
   * @param connections all verticles together
   */
  static void choose(int connections) {
    chosen = connections;
  }

  /**
   * This verticle's share of the connections, on its own event loop, so that nothing is handed from
   * thread to thread.
   */
  Pool current() {
    if (size != chosen) {
      if (pool != null) {
        pool.close();
      }
      size = chosen;
      pool = PaymentRow.pool(vertx, uri, Math.max(1, size / instances));
    }
    return pool;
  }
}
