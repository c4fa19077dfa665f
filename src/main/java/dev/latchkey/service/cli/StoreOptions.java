package dev.latchkey.service.cli;

import dev.latchkey.service.cli.SecretConverters.PostgresConverter;
import dev.latchkey.service.cli.SecretConverters.RedisConverter;
import dev.latchkey.service.cli.ValueConverters.PostgresConnectionsConverter;
import dev.latchkey.service.cli.ValueConverters.StoreKindConverter;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of the stores. picocli implements the interface. */
public interface StoreOptions {

  @Option(
      names = "--store",
      defaultValue = "memory",
      converter = StoreKindConverter.class,
      description = "Store of the keys: memory, postgres or redis.")
  StoreKind store();

  @Option(
      names = "--ledger",
      converter = StoreKindConverter.class,
      description =
          "Store of the payments: postgres with --store redis. Without it, the same as --store.")
  Optional<StoreKind> ledger();

  @Option(
      names = "--postgres-uri",
      paramLabel = "<uri>",
      converter = PostgresConverter.class,
      description =
          "postgresql://user:password@host:port/database, with ?sslmode=disable (the default), allow, prefer, require, verify-ca or verify-full, and &sslrootcert=FILE.")
  Optional<PostgresLocation> postgres();

  @Option(
      names = "--postgres-connections",
      defaultValue = "40",
      paramLabel = "<n>",
      converter = PostgresConnectionsConverter.class,
      description = "Most connections that the node opens to Postgres, at least 5.")
  int postgresConnections();

  @Option(
      names = "--postgres-listen-uri",
      paramLabel = "<uri>",
      converter = PostgresConverter.class,
      description =
          "Where the node listens for notifications, if a pooler is in between. Without it, the same as --postgres-uri.")
  Optional<PostgresLocation> postgresListen();

  @Option(
      names = "--redis-uri",
      paramLabel = "<uri>",
      converter = RedisConverter.class,
      description =
          "redis://user:password@host:port/0, or rediss:// for TLS with ?sslrootcert=FILE unless the JVM trusts the server. A comma-separated list gives the nodes of a cluster.")
  Optional<RedisLocation> redis();

  @Option(names = "--no-migrate", description = "Do not update the Postgres schema at startup.")
  boolean noMigrate();
}
