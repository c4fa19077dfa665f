package dev.latchkey.web;

import dev.latchkey.core.IdempotencyListener;
import dev.latchkey.core.NodeOptions;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.web.impl.IdempotencyNodeImpl;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/**
 * What all idempotency handlers of one process share: the store, the table of what this node runs
 * and waits for, the limits, the cache of completed answers. Make one per process and store, and
 * hand it to every verticle; it is safe to use from any thread.
 */
public interface IdempotencyNode {

  /**
   * Makes a node with the default limits that tells nobody what it does.
   *
   * @param vertx the instance whose event bus carries the completions inside this process
   * @param store where the records live; not closed by the node
   * @return the node, ready
   */
  static IdempotencyNode create(Vertx vertx, IdempotencyStore store) {
    return create(vertx, store, new NodeOptions(), IdempotencyListener.NONE);
  }

  /**
   * Makes a node.
   *
   * @param vertx the instance whose event bus carries the completions inside this process
   * @param store where the records live; not closed by the node
   * @param options limits, copied
   * @param listener told what happens, for metrics
   * @return the node, ready
   */
  static IdempotencyNode create(
      Vertx vertx, IdempotencyStore store, NodeOptions options, IdempotencyListener listener) {
    return new IdempotencyNodeImpl(vertx, store, new NodeOptions(options), listener);
  }

  /**
   * The handler that has to be the first route of the outermost router: it gives every request a
   * response that can be captured later. Sends every request through the router twice, which {@link
   * #capture(Handler)} does not.
   *
   * @return the handler; one may serve many routers
   */
  Handler<RoutingContext> capture();

  /**
   * Does the same in front of the router, so that a request goes through it once: for whoever sets
   * the request handler of an HTTP server. {@link #capture()} is not needed then.
   *
   * @param router the outermost router
   * @return the request handler of the server, or of one of its verticles
   */
  Handler<HttpServerRequest> capture(Handler<HttpServerRequest> router);

  /**
   * Stops taking work: from now on a keyed request is answered 503 {@code shutting-down}; what is
   * parked here for another node's run is answered so at once; what runs here is finished, stored
   * and answered, its parked duplicates too.
   *
   * @param timeoutMillis how long to wait for what runs, positive
   * @return true when all ended in time; false when something had to be cut off
   */
  Future<Boolean> drain(long timeoutMillis);

  /** Returns how many requests are parked on this node now. */
  int parked();

  /** Returns how many attempts run on this node now. */
  int running();

  /** Most records that {@link #records} lists. */
  int MAX_RECORDS = 100;

  /**
   * Lists what is known of a key over all routes, for a page that tells a client where its key
   * stands. One call of the store.
   *
   * @param tenant whose key, as {@link KeyScope#tenant} says
   * @param key the client's key, unescaped; any text, and no text but a {@linkplain ScopedKey#isKey
   *     key} has records
   * @return the {@value #MAX_RECORDS} oldest at most, oldest first, on any thread; empty for an
   *     unknown key; fails with {@link dev.latchkey.core.spi.StoreException} when the store cannot
   *     be asked
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
   * @return the number of removed keys, on any thread; there may be more if it equals the limit.
   *     Fails with {@link dev.latchkey.core.spi.StoreException}
   */
  Future<Integer> purgeExpired(int limit);

  /**
   * Ends the subscription to the store; the node's timers do nothing any more, nor do its news
   * reach anybody. So what is still parked is not woken, and no lease is renewed: {@link
   * #drain(long)} first. What runs may still end, and is answered. Idempotent.
   */
  void close();
}
