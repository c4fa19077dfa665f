package dev.latchkey.web;

import dev.latchkey.core.IdempotencyListener;
import dev.latchkey.core.NodeOptions;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.PurgeResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.web.impl.IdempotencyNodeImpl;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/**
 * The state that all idempotency handlers of a process share: the store, the table of running and
 * awaited keys, the limits and the replay cache. Create one per process and store, and pass it to
 * every verticle. Thread-safe.
 */
public interface IdempotencyNode {

  /** Maximum number of records that {@link #records} lists. */
  int MAX_RECORDS = 100;

  /**
   * Creates a node with default limits and without a listener.
   *
   * @param vertx carries events within the process
   * @param store holds the records; not closed by the node
   * @return the node, ready
   */
  static IdempotencyNode create(Vertx vertx, IdempotencyStore store) {
    return create(vertx, store, new NodeOptions(), IdempotencyListener.NONE);
  }

  /**
   * Creates a node.
   *
   * @param vertx carries events within the process
   * @param store holds the records; not closed by the node
   * @param options limits, copied
   * @param listener receives events, for metrics; see {@link MicrometerListener}
   * @return the node, ready
   */
  static IdempotencyNode create(
      Vertx vertx, IdempotencyStore store, NodeOptions options, IdempotencyListener listener) {
    return new IdempotencyNodeImpl(vertx, store, new NodeOptions(options), listener);
  }

  /**
   * Returns the handler for the first route of the outermost router. It gives each request a
   * response that can be captured, and routes the request a second time; {@link #capture(Handler)}
   * does not.
   *
   * @return the handler, for any number of routers
   */
  Handler<RoutingContext> capture();

  /**
   * Does the same in front of the router, so each request is routed once. {@link #capture()} is not
   * needed then.
   *
   * @param router the outermost router
   * @return the request handler of the server
   */
  Handler<HttpServerRequest> capture(Handler<HttpServerRequest> router);

  /**
   * Stops accepting work. Further keyed requests get 503 {@code shutting-down}, and so do requests
   * parked here for another node's attempt. Running requests finish and are stored, and their
   * parked duplicates get responses.
   *
   * @param timeoutMillis how long to wait for running requests, positive
   * @return true if all finished in time
   */
  Future<Boolean> drain(long timeoutMillis);

  /** Returns the number of parked requests on this node. */
  int parked();

  /** Returns the number of running attempts on this node. */
  int running();

  /**
   * Lists the records of a key over all operations, with one call of the store.
   *
   * @param tenant the tenant, as {@link KeyScope#tenant} returns it
   * @param key the client's key, unescaped; a text that is no {@linkplain ScopedKey#isKey key} has
   *     no records
   * @return at most {@value #MAX_RECORDS} records, oldest first, on any thread; fails with {@link
   *     dev.latchkey.core.spi.StoreException}
   */
  Future<List<KeyRecord>> records(String tenant, String key);

  /**
   * Removes expired keys in the background until the node is closed, every {@link
   * NodeOptions#setPurgeIntervalMillis} and in batches of at most 1,000. Several nodes may purge
   * one store; at least one should. Idempotent.
   *
   * @return this
   */
  IdempotencyNode startPurging();

  /**
   * Removes one batch of expired keys, for an application that schedules purges itself.
   *
   * @param limit maximum number of keys to remove, positive
   * @return the number of removed keys, and whether more may remain, on any thread. Fails with
   *     {@link dev.latchkey.core.spi.StoreException}
   */
  Future<PurgeResult> purgeExpired(int limit);

  /**
   * Ends the subscription to the store, all timers and purging. Parked requests are not woken and
   * leases are not renewed any more, so {@link #drain(long)} first. Running requests still get
   * their responses. Idempotent.
   */
  void close();
}
