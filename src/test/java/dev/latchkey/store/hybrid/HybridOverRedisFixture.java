package dev.latchkey.store.hybrid;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.store.ClaimStore;
import dev.latchkey.store.EffectProbe;
import dev.latchkey.store.StoreFixture;
import dev.latchkey.store.postgres.PostgresNodes;
import dev.latchkey.store.postgres.PostgresReceipts;
import dev.latchkey.store.redis.RedisFixture;
import dev.latchkey.testing.servers.RealServers;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Two nodes with claims in a real Redis and receipts on a real Postgres. */
final class HybridOverRedisFixture implements StoreFixture {

  private final Ledger ledger;
  private final RedisFixture claims;
  private final HybridStore store;
  private final HybridStore other;
  private final AtomicLong heldNanos = new AtomicLong();

  /** Receipts that both nodes share, for many tests one after the other. */
  static final class Ledger implements AutoCloseable {
    private final PostgresNodes nodes = new PostgresNodes(RealServers.freshDatabase());
    private final PostgresReceipts receipts = nodes.openReceipts();
    private final PostgresReceipts otherReceipts = nodes.openReceipts();

    /** From here on its clock moves with one of Redis that is held. */
    void holdClock() {
      nodes.holdClock();
    }

    /** What the nodes run on. */
    Vertx vertx() {
      return nodes.vertx;
    }

    @Override
    public void close() {
      nodes.close();
    }
  }

  /** Over claims that are empty; the receipts are emptied. */
  HybridOverRedisFixture(Ledger ledger, RedisFixture claims) {
    this.ledger = ledger;
    this.claims = claims;
    ledger.nodes.database.value("TRUNCATE latchkey_receipt");
    store = node(claims.claimStores().get(0), ledger.receipts);
    other = node(claims.claimStores().get(1), ledger.otherReceipts);
  }

  private HybridStore node(ClaimStore claimStore, PostgresReceipts receipts) {
    LongSupplier nanos = hasExactClock() ? heldNanos::get : System::nanoTime;
    return HybridStore.create(claimStore, receipts, nanos, ClaimRegistry.MAX_CLAIMS);
  }

  @Override
  public IdempotencyStore store() {
    return store;
  }

  @Override
  public IdempotencyStore otherNode() {
    return other;
  }

  @Override
  public void advanceMillis(long millis) {
    claims.advanceMillis(millis);
    if (hasExactClock()) {
      heldNanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
      ledger.nodes.advanceMillis(millis);
    }
  }

  @Override
  public boolean hasExactClock() {
    return claims.hasExactClock();
  }

  @Override
  public long shortLeaseMillis() {
    return claims.shortLeaseMillis();
  }

  @Override
  public boolean expiresByItself() {
    return true;
  }

  @Override
  public Optional<EffectProbe> effects() {
    return Optional.of(ledger.nodes.effects);
  }

  @Override
  public boolean restart() {
    return claims.restart();
  }

  @Override
  public void close() {
    claims.close();
  }
}
