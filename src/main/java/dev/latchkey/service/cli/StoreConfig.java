package dev.latchkey.service.cli;

import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * A supported combination of store and ledger, with the locations that it needs.
 *
 * @param store store of the keys
 * @param ledger store of the payments: the same, or Postgres with Redis (the hybrid)
 * @param postgres present if the store or the ledger is Postgres
 * @param listen where notifications come from, if present
 * @param postgresConnections maximum number of connections to Postgres
 * @param redis present if the store is Redis
 * @param migrateFirst whether {@code serve} updates the schema at startup
 */
public record StoreConfig(
    StoreKind store,
    StoreKind ledger,
    Optional<PostgresLocation> postgres,
    Optional<PostgresLocation> listen,
    int postgresConnections,
    Optional<RedisLocation> redis,
    boolean migrateFirst) {

  /**
   * Checks the options.
   *
   * @throws ParameterException if they do not fit together
   */
  static StoreConfig of(StoreOptions options, CommandSpec command) {
    StoreKind store = options.store();
    StoreKind ledger = options.ledger().orElse(store);
    if (ledger != store && !(store == StoreKind.REDIS && ledger == StoreKind.POSTGRES)) {
      throw ServiceCommands.invalid(
          command,
          "--ledger",
          "'%s' does not go with --store %s; use the same, or postgres with --store redis"
              .formatted(ledger.label(), store.label()));
    }
    boolean redis = options.redis().isPresent();
    boolean postgres = options.postgres().isPresent();
    check(store != StoreKind.REDIS || redis, command, "--store", "'redis' needs --redis-uri");
    check(
        store != StoreKind.POSTGRES || postgres,
        command,
        "--store",
        "'postgres' needs --postgres-uri");
    check(
        ledger != StoreKind.POSTGRES || postgres,
        command,
        "--ledger",
        "'postgres' needs --postgres-uri");
    return new StoreConfig(
        store,
        ledger,
        options.postgres(),
        options.postgresListen(),
        options.postgresConnections(),
        options.redis(),
        !options.noMigrate());
  }

  private static void check(boolean holds, CommandSpec command, String option, String reason) {
    if (!holds) {
      throw ServiceCommands.invalid(command, option, reason);
    }
  }

  /** Whether other nodes can use the same keys. */
  public boolean isShared() {
    return store != StoreKind.MEMORY;
  }
}
