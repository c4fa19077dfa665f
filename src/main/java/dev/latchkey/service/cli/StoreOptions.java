package dev.latchkey.service.cli;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options that say where records and payments live, for the commands that need them. */
@SuppressWarnings("NullAway.Init") // picocli fills the fields before anything reads them
final class StoreOptions {

  private static final String STORE = "--store";
  private static final String LEDGER = "--ledger";
  private static final String POSTGRES_URI = "--postgres-uri";
  private static final String REDIS_URI = "--redis-uri";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = STORE,
      defaultValue = "memory",
      converter = KindConverter.class,
      description =
          "Where idempotency records live: memory, postgres, redis"
              + " (LATCHKEY_STORE, default ${DEFAULT-VALUE}).")
  private StoreKind store;

  @Option(
      names = LEDGER,
      converter = KindConverter.class,
      description =
          "Where payments live: as --store, or postgres with --store redis"
              + " (LATCHKEY_LEDGER, default: the same as the store).")
  private @Nullable StoreKind ledger;

  @Option(
      names = POSTGRES_URI,
      converter = PostgresConverter.class,
      paramLabel = "<uri>",
      description =
          "postgresql://user:password@host:port/database, with ?sslmode=disable (unless it says"
              + " otherwise), allow, prefer, require, verify-ca or verify-full, and"
              + " &sslrootcert=FILE (LATCHKEY_POSTGRES_URI, default: none).")
  private @Nullable PostgresLocation postgres;

  @Option(
      names = REDIS_URI,
      converter = RedisConverter.class,
      paramLabel = "<uri>",
      description =
          "redis://user:password@host:port/0, rediss:// for TLS with ?sslrootcert=FILE unless the"
              + " JVM trusts the server; several with commas are nodes of a cluster"
              + " (LATCHKEY_REDIS_URI, default: none).")
  private @Nullable RedisLocation redis;

  @Option(
      names = "--no-migrate",
      description =
          "Do not bring the Postgres schema up to date at the start"
              + " (LATCHKEY_NO_MIGRATE=true, default: false).")
  private boolean noMigrate;

  /**
   * Says what the options come to.
   *
   * @throws ParameterException when they do not fit together
   */
  StoreConfig toConfig() {
    StoreKind payments = Optional.ofNullable(ledger).orElse(store);
    boolean hybrid = store == StoreKind.REDIS && payments == StoreKind.POSTGRES;
    if (payments != store && !hybrid) {
      throw BadOption.of(
          command,
          LEDGER,
          "'"
              + payments.label()
              + "' does not go with --store "
              + store.label()
              + "; only the same, or postgres with --store redis");
    }
    check(
        STORE, store != StoreKind.POSTGRES || postgres != null, "'postgres' needs " + POSTGRES_URI);
    check(STORE, store != StoreKind.REDIS || redis != null, "'redis' needs " + REDIS_URI);
    check(
        LEDGER,
        payments != StoreKind.POSTGRES || postgres != null,
        "'postgres' needs " + POSTGRES_URI);
    return new StoreConfig(
        store, payments, Optional.ofNullable(postgres), Optional.ofNullable(redis), !noMigrate);
  }

  /**
   * Returns the database that {@code migrate} works on.
   *
   * @throws ParameterException when none was given
   */
  PostgresLocation requiredPostgres() {
    return Optional.ofNullable(postgres)
        .orElseThrow(
            () ->
                new ParameterException(
                    command.commandLine(),
                    "Missing required option: '" + POSTGRES_URI + "=<uri>'"));
  }

  private void check(String option, boolean holds, String otherwise) {
    if (!holds) {
      throw BadOption.of(command, option, otherwise);
    }
  }

  static final class KindConverter implements ITypeConverter<StoreKind> {
    @Override
    public StoreKind convert(String value) {
      return StoreKind.of(value)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'" + value + "' is not one of: " + StoreKind.labels()));
    }
  }

  static final class PostgresConverter implements ITypeConverter<PostgresLocation> {
    @Override
    public PostgresLocation convert(String value) {
      try {
        return PostgresLocation.parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  static final class RedisConverter implements ITypeConverter<RedisLocation> {
    @Override
    public RedisLocation convert(String value) {
      try {
        return RedisLocation.parse(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
