package dev.latchkey.service;

import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.ledger.Ledger;
import dev.latchkey.ledger.memory.MemoryLedger;
import dev.latchkey.ledger.postgres.PostgresEffects;
import dev.latchkey.ledger.postgres.PostgresLedger;
import dev.latchkey.ledger.redis.RedisLedger;
import dev.latchkey.ledger.redis.RedisLedgerEffects;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.service.cli.PostgresLocation;
import dev.latchkey.service.cli.StoreConfig;
import dev.latchkey.service.cli.StoreKind;
import dev.latchkey.store.hybrid.HybridStore;
import dev.latchkey.store.memory.MemoryStore;
import dev.latchkey.store.postgres.PostgresReceipts;
import dev.latchkey.store.postgres.PostgresStatements;
import dev.latchkey.store.postgres.PostgresStore;
import dev.latchkey.store.postgres.PostgresStoreOptions;
import dev.latchkey.store.redis.RedisEffectKinds;
import dev.latchkey.store.redis.RedisStore;
import dev.latchkey.store.redis.connection.RedisConnections;
import dev.latchkey.store.redis.connection.RedisDurability;
import dev.latchkey.store.redis.connection.RedisDurability.Loss;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Opens the configured store and ledger. */
public final class StoreWiring {

  private static final Logger LOG = LoggerFactory.getLogger(StoreWiring.class);

  /** For reads and for writes, two each. */
  private static final int LEDGER_CONNECTIONS = 4;

  /** For statements, notifications and transactions. */
  private static final int MIN_STORE_CONNECTIONS = 3;

  /** The kinds that {@link #open} knows; the command line refuses all others. */
  private StoreWiring() {}

  /**
   * A store and the ledger whose payments it commits.
   *
   * @param store store of the keys
   * @param ledger store of the payments
   */
  record Opened(IdempotencyStore store, Ledger ledger) {}

  /**
   * Updates the schema if configured, then opens both.
   *
   * @param vertx the instance of the process
   * @param config the stores
   * @param budget limit of the memory store
   * @return both, ready for calls; fails if a server is unreachable
   */
  static Future<Opened> open(Vertx vertx, StoreConfig config, MemoryBudget budget) {
    return migrated(vertx, config).compose(v -> opened(vertx, config, budget));
  }

  private static Future<?> migrated(Vertx vertx, StoreConfig config) {
    Optional<PostgresLocation> database =
        config.postgres().filter(there -> config.ledger() == StoreKind.POSTGRES);
    return config.migrateFirst() && database.isPresent()
        ? DatabaseSchemas.migrate(vertx, database.get().connectOptions())
        : Future.succeededFuture();
  }

  private static Future<Opened> opened(Vertx vertx, StoreConfig config, MemoryBudget budget) {
    return switch (config.store()) {
      case MEMORY -> {
        MemoryLedger ledger = new MemoryLedger(budget);
        yield Future.succeededFuture(new Opened(MemoryStore.create(budget, ledger), ledger));
      }
      case POSTGRES -> {
        yield Future.succeededFuture(overPostgres(vertx, config));
      }
      case REDIS ->
          connected(vertx, config)
              .map(
                  claims ->
                      config.ledger() == StoreKind.POSTGRES
                          ? hybrid(vertx, claims, config)
                          : new Opened(claims.store(), new RedisLedger(claims.connections())));
    };
  }

  /** Keys and payments in one database. The connections live as long as the instance. */
  private static Opened overPostgres(Vertx vertx, StoreConfig config) {
    PostgresLocation where = config.postgres().orElseThrow();
    PostgresStatements statements = ledgerStatements(vertx, config);
    PgConnectOptions listen = config.listen().orElse(where).connectOptions();
    PostgresStore store =
        PostgresStore.create(
            vertx, where.connectOptions(), listen, storeOptions(config), new PostgresEffects());
    return new Opened(store, new PostgresLedger(statements));
  }

  /**
   * Claims in Redis, payments and the deciding receipts in a database. The connections live as long
   * as the instance.
   */
  private static Opened hybrid(Vertx vertx, Connected claims, StoreConfig config) {
    PgConnectOptions database = config.postgres().orElseThrow().connectOptions();
    PostgresStatements statements = ledgerStatements(vertx, config);
    PostgresReceipts receipts =
        PostgresReceipts.create(vertx, database, storeOptions(config), new PostgresEffects());
    return new Opened(HybridStore.create(claims.store(), receipts), new PostgresLedger(statements));
  }

  private static PostgresStatements ledgerStatements(Vertx vertx, StoreConfig config) {
    PostgresLocation where = config.postgres().orElseThrow();
    PostgresStatements statements =
        PostgresStatements.create(
            vertx,
            where.connectOptions(),
            PostgresLedger.options().setMaxConnections(ledgerConnections(config)));
    PostgresCheck.begin(vertx, statements, where);
    return statements;
  }

  private static int ledgerConnections(StoreConfig config) {
    return Math.min(LEDGER_CONNECTIONS, config.postgresConnections() - MIN_STORE_CONNECTIONS);
  }

  private static PostgresStoreOptions storeOptions(StoreConfig config) {
    return new PostgresStoreOptions()
        .setMaxConnections(config.postgresConnections() - ledgerConnections(config));
  }

  /**
   * A Redis store whose server was reached.
   *
   * @param connections that it uses
   * @param store subscribed to notifications
   */
  record Connected(RedisConnections connections, RedisStore store) {}

  private static Future<Connected> connected(Vertx vertx, StoreConfig config) {
    RedisConnections connections =
        RedisConnections.create(vertx, config.redis().orElseThrow().redisOptions());
    boolean writes = config.ledger() == StoreKind.REDIS;
    RedisStore store =
        RedisStore.create(connections, writes ? new RedisLedgerEffects() : RedisEffectKinds.NONE);
    return StartPatience.ask(store::ready, System::nanoTime)
        .compose(v -> RedisDurability.read(connections))
        .map(
            durability -> {
              say(durability, config.ledger());
              return new Connected(connections, store);
            });
  }

  private static void say(RedisDurability durability, StoreKind ledger) {
    if (ledger == StoreKind.POSTGRES) {
      LOG.info("{}; payments and their responses are in Postgres", durability.line());
      return;
    }
    boolean keepsAll = durability.crashLoses() == Loss.NOTHING && durability.evicts().isEmpty();
    LOG.atLevel(keepsAll ? Level.INFO : Level.WARN).log("{}", durability.line());
  }
}
