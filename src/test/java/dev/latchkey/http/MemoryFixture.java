package dev.latchkey.http;

import dev.latchkey.ledger.memory.MemoryLedger;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.memory.MemoryStore;
import io.vertx.core.Vertx;

/** Memory that all nodes of this process share. */
final class MemoryFixture implements ServiceFixture {

  private static final long BYTES = 128 << 20;

  private final Backend backend;

  MemoryFixture() {
    MemoryBudget budget = new MemoryBudget(BYTES);
    MemoryLedger ledger = new MemoryLedger(budget);
    backend = new Backend(MemoryStore.create(budget, ledger), ledger);
  }

  @Override
  public Backend node(Vertx vertx) {
    return backend;
  }
}
