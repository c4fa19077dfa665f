package dev.latchkey.service;

import dev.latchkey.web.IdempotencyNode;
import io.vertx.core.Vertx;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the node's store remove expired keys, a batch at a time, for as long as the process lives.
 */
final class ExpiredKeys {

  private static final Logger LOG = LoggerFactory.getLogger(ExpiredKeys.class);
  private static final int BATCH = 1_000;
  private static final long PAUSE_MILLIS = 1_000;
  private static final long NO_PAUSE_MILLIS = 1;

  private final Vertx vertx;
  private final IdempotencyNode node;
  private final AtomicBoolean fails = new AtomicBoolean();

  private ExpiredKeys(Vertx vertx, IdempotencyNode node) {
    this.vertx = vertx;
    this.node = node;
  }

  static void purge(Vertx vertx, IdempotencyNode node) {
    new ExpiredKeys(vertx, node).after(PAUSE_MILLIS);
  }

  private void after(long millis) {
    vertx.setTimer(millis, ignored -> next());
  }

  private void next() {
    node.purgeExpired(BATCH)
        .onComplete(
            removed -> {
              fails.set(false);
              after(removed < BATCH ? PAUSE_MILLIS : NO_PAUSE_MILLIS);
            },
            failure -> {
              if (!fails.getAndSet(true)) {
                LOG.warn("expired keys stay a while longer: {}", failure.getMessage());
              }
              after(PAUSE_MILLIS);
            });
  }
}
