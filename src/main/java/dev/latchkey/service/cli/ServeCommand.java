package dev.latchkey.service.cli;

import dev.latchkey.service.http.ApiKeys;
import dev.latchkey.service.http.Hosts;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** {@code serve}, and {@code migrate} with the same options. */
final class ServeCommand implements Callable<Integer> {

  static final String NAME = "serve";

  private static final String PRINT = "--print";

  private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);
  private final ServeOptions options = OptionGroups.add(spec, ServeOptions.class);
  private final StoreOptions stores = OptionGroups.add(spec, StoreOptions.class);
  private final ToIntFunction<ServeCommand> action;

  private ServeCommand(String name, String description, ToIntFunction<ServeCommand> action) {
    this.action = action;
    spec.name(name).usageMessage().description(description);
  }

  /** Creates {@code serve}. */
  static CommandSpec serve(CommandActions actions) {
    return new ServeCommand(
            NAME,
            "Serves the payments API. The default command.",
            command -> actions.serve(command.config(true)))
        .spec;
  }

  /** Creates {@code migrate}. */
  static CommandSpec migrate(CommandActions actions) {
    ServeCommand migrate =
        new ServeCommand(
            "migrate",
            "Updates the Postgres schema and exits. Takes the options of serve.",
            command -> command.printOrMigrate(actions));
    migrate.spec.addOption(
        OptionSpec.builder(PRINT)
            .type(boolean.class)
            .description(
                "Only print the DDL of all migrations, for psql. Needs no database. Serve with"
                    + " --no-migrate afterwards.")
            .build());
    return migrate.spec;
  }

  @Override
  public Integer call() {
    return action.applyAsInt(this);
  }

  private int printOrMigrate(CommandActions actions) {
    if (Boolean.TRUE.equals(spec.findOption(PRINT).<Boolean>getValue())) {
      return actions.printDdl();
    }
    PostgresLocation database =
        stores
            .postgres()
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(), "Missing required option: '--postgres-uri=<uri>'"));
    config(false);
    return actions.migrate(database);
  }

  private ServeConfig config(boolean listens) {
    StoreConfig storeConfig = StoreConfig.of(stores, spec);
    if (options.retention().compareTo(options.lease()) < 0) {
      throw OptionGroups.invalid(
          spec,
          "--retention",
          "%dms is shorter than the lease of %dms"
              .formatted(options.retention().toMillis(), options.lease().toMillis()));
    }
    Optional<ApiKeys> keys = options.apiKeys().map(this::parseKeys);
    if (listens
        && keys.isEmpty()
        && !options.insecureNoAuth()
        && !Hosts.isLoopback(options.host())) {
      throw OptionGroups.invalid(
          spec,
          "--host",
          "'%s' is reachable by others: set --api-keys, or --insecure-no-auth to accept everyone"
              .formatted(options.host()));
    }
    return new ServeConfig(options, storeConfig, keys);
  }

  private ApiKeys parseKeys(String list) {
    try {
      return ApiKeys.parse(list);
    } catch (IllegalArgumentException e) {
      throw OptionGroups.invalid(spec, "--api-keys", String.valueOf(e.getMessage()));
    }
  }
}
