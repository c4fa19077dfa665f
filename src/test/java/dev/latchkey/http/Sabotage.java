package dev.latchkey.http;

import dev.latchkey.idempotency.spi.IdempotencyStore;
import io.vertx.ext.web.Router;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Breaks the service on purpose, to see a test fail.
 *
 * @param store wraps the store of every node
 * @param routes mounted before the API of every node
 * @param lostHeader never reaches the client
 * @param patienceMillis how long a client waits for an answer
 */
record Sabotage(
    UnaryOperator<IdempotencyStore> store,
    Consumer<Router> routes,
    String lostHeader,
    long patienceMillis) {

  /** Breaks nothing. */
  static final Sabotage NONE =
      new Sabotage(UnaryOperator.identity(), router -> {}, "", Waiting.LIMIT_MILLIS);

  private static final long SHORT_MILLIS = 1_500;

  static Sabotage ofStore(UnaryOperator<IdempotencyStore> store) {
    return new Sabotage(store, router -> {}, "", SHORT_MILLIS);
  }

  static Sabotage ofRoutes(Consumer<Router> routes) {
    return new Sabotage(UnaryOperator.identity(), routes, "", SHORT_MILLIS);
  }

  static Sabotage ofHeader(String lost) {
    return new Sabotage(UnaryOperator.identity(), router -> {}, lost, SHORT_MILLIS);
  }
}
