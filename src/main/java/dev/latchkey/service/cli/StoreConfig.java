package dev.latchkey.service.cli;

import java.util.Optional;

/**
 * Where the service keeps what it must not forget. The mixture is one that works, and what it needs
 * is there.
 *
 * @param store keeps the idempotency records
 * @param ledger keeps the payments: the same, or Postgres beside Redis (the hybrid)
 * @param postgres present when one of them is Postgres; else it may be
 * @param redis present when the store is Redis; else it may be
 * @param migrateFirst whether {@code serve} brings the schema up to date before it serves
 */
public record StoreConfig(
    StoreKind store,
    StoreKind ledger,
    Optional<PostgresLocation> postgres,
    Optional<RedisLocation> redis,
    boolean migrateFirst) {

  /** Whether other nodes can work on the same records. */
  public boolean isShared() {
    return store != StoreKind.MEMORY;
  }
}
