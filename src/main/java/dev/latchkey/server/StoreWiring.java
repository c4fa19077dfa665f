package dev.latchkey.server;

import dev.latchkey.idempotency.spi.IdempotencyStore;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.memory.MemoryLedger;
import dev.latchkey.ledger.postgres.PostgresEffects;
import dev.latchkey.ledger.postgres.PostgresLedger;
import dev.latchkey.ledger.postgres.PostgresPools;
import dev.latchkey.store.memory.MemoryBudget;
import dev.latchkey.store.memory.MemoryStore;
import dev.latchkey.store.postgres.PostgresSchema;
import dev.latchkey.store.postgres.PostgresStore;
import dev.latchkey.store.postgres.PostgresStoreOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import java.util.Optional;
import java.util.Set;

/** Opens the store and the ledger that a configuration asks for. */
final class StoreWiring {

  /** The kinds that {@link #open} knows; the command line refuses all others. */
  static final Set<StoreKind> AVAILABLE = Set.of(StoreKind.MEMORY, StoreKind.POSTGRES);

  private static final int LEDGER_CONNECTIONS = 8;

  private StoreWiring() {}

  /**
   * A store and the ledger that it commits to.
   *
   * @param store keeps the idempotency records
   * @param ledger keeps the payments
   */
  record Opened(IdempotencyStore store, Ledger ledger) {}

  /**
   * Brings the schema up to date where that is asked for, then opens both.
   *
   * @param vertx the instance of the process
   * @param config what to open
   * @param budget what may be kept in memory
   * @return both, ready to work; fails when a server cannot be reached
   */
  static Future<Opened> open(Vertx vertx, StoreConfig config, MemoryBudget budget) {
    return migrated(vertx, config).compose(v -> opened(vertx, config, budget));
  }

  private static Future<?> migrated(Vertx vertx, StoreConfig config) {
    Optional<PostgresLocation> database =
        config.postgres().filter(there -> config.ledger() == StoreKind.POSTGRES);
    return config.migrateFirst() && database.isPresent()
        ? PostgresSchema.migrate(vertx, database.get().connectOptions())
        : Future.succeededFuture();
  }

  private static Future<Opened> opened(Vertx vertx, StoreConfig config, MemoryBudget budget) {
    return switch (config.store()) {
      case MEMORY -> {
        MemoryLedger ledger = new MemoryLedger(budget);
        yield Future.succeededFuture(new Opened(MemoryStore.create(budget, ledger), ledger));
      }
      case POSTGRES -> {
        PgConnectOptions database = config.postgres().orElseThrow().connectOptions();
        yield Future.succeededFuture(overPostgres(vertx, database));
      }
      case REDIS -> Future.failedFuture(new IllegalStateException("no store redis"));
    };
  }

  /** Records and payments in one database. The connections live as long as the instance. */
  static Opened overPostgres(Vertx vertx, PgConnectOptions database) {
    Pool pool = PostgresPools.create(vertx, database, LEDGER_CONNECTIONS);
    PostgresDurability.check(pool);
    PostgresStore store =
        PostgresStore.create(
            vertx, database, PostgresStoreOptions.defaults(), new PostgresEffects());
    return new Opened(store, new PostgresLedger(vertx, pool));
  }
}
