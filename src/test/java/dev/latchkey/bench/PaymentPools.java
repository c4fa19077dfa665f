package dev.latchkey.bench;

import io.vertx.core.Vertx;
import io.vertx.sqlclient.Pool;

/**
 * The pool of one verticle. Its size is set for the whole process, while no request is pending, so
 * that a warm server can try several sizes. Confined to its event loop.
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
   * Sets the number of connections of the process.
   *
   * @param connections of all verticles together
   */
  static void choose(int connections) {
    chosen = connections;
  }

  /** This verticle's share of the connections, on its own event loop to avoid thread switches. */
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
