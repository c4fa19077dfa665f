package dev.latchkey.http;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.ledger.Ledger;
import io.vertx.core.Vertx;

/**
 * The store and the ledger that {@link HttpContractTest} runs the service over. Keys are never used
 * twice, so records of earlier tests may still be there.
 */
public interface ServiceFixture extends AutoCloseable {

  /**
   * What one node works with.
   *
   * @param store of its records
   * @param ledger of its payments, written by that store
   */
  record Backend(IdempotencyStore store, Ledger ledger) {}

  /**
   * Connects one more node. All nodes of a fixture share what is kept.
   *
   * @param vertx what the node runs on; closed before this fixture
   */
  Backend node(Vertx vertx);

  /** Releases everything; called after the nodes are closed. */
  @Override
  default void close() {}
}
