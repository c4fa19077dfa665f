package dev.latchkey.service.cli;

import dev.latchkey.service.http.ApiKeys;
import dev.latchkey.service.http.Hosts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The commands of the service with their options. */
final class ServiceCommands {

  static final String SERVE = "serve";

  private static final String PRINT = "--print";
  private static final Duration MAX_RETENTION = Duration.ofDays(400);

  private ServiceCommands() {}

  /** Options of every command. {@link SettingSources} reads the file. */
  interface CommonOptions {

    @Option(
        names = "--config",
        paramLabel = "<file>",
        description =
            "YAML file with options by name. Flags and environment variables take precedence.")
    Optional<Path> config();

    @Option(
        names = {"-h", "--help"},
        usageHelp = true,
        description = "Print this and exit.")
    boolean help();
  }

  /** A command that picocli calls. */
  private static final class Command implements Callable<Integer> {

    private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);
    private Callable<Integer> action = () -> 0;

    private Command(String name, String description) {
      spec.name(name).usageMessage().description(description);
      add(spec, CommonOptions.class);
    }

    @Override
    public Integer call() throws Exception {
      return action.call();
    }
  }

  /** Creates {@code serve}. */
  static CommandSpec serve(CommandActions actions) {
    Command serve = new Command(SERVE, "Serves the payments API. The default command.");
    ServeOptions options = add(serve.spec, ServeOptions.class);
    OperationOptions operation = add(serve.spec, OperationOptions.class);
    StoreOptions stores = add(serve.spec, StoreOptions.class);
    serve.action =
        () -> {
          ServeConfig config = config(serve.spec, options, operation, stores);
          if (config.apiKeys().isEmpty()
              && !options.insecureNoAuth()
              && !Hosts.isLoopback(options.host())) {
            throw invalid(
                serve.spec,
                "--host",
                "it is reachable by others: set --api-keys, or --insecure-no-auth to accept"
                    + " everyone");
          }
          return actions.serve(config);
        };
    return serve.spec;
  }

  /** Creates {@code migrate}. */
  static CommandSpec migrate(CommandActions actions) {
    Command migrate =
        new Command(
            "migrate", "Updates the Postgres schema and exits. Takes the options of serve.");
    ServeOptions options = add(migrate.spec, ServeOptions.class);
    OperationOptions operation = add(migrate.spec, OperationOptions.class);
    StoreOptions stores = add(migrate.spec, StoreOptions.class);
    OptionSpec print =
        OptionSpec.builder(PRINT)
            .type(boolean.class)
            .description(
                "Only print the DDL of all migrations, for psql. Needs no database. Serve with"
                    + " --no-migrate afterwards.")
            .build();
    migrate.spec.addOption(print);
    migrate.action =
        () -> {
          if (Boolean.TRUE.equals(print.<Boolean>getValue())) {
            return actions.printDdl();
          }
          PostgresLocation database =
              stores
                  .postgres()
                  .orElseThrow(
                      () ->
                          new ParameterException(
                              migrate.spec.commandLine(),
                              "Missing required option: '--postgres-uri=<uri>'"));
          config(migrate.spec, options, operation, stores);
          return actions.migrate(database);
        };
    return migrate.spec;
  }

  /** Creates {@code erase}. */
  static CommandSpec erase(CommandActions actions) {
    Command erase =
        new Command(
            "erase",
            "Removes the personal data of a customer or a key: customer, description, metadata and"
                + " stored responses, never amounts. Takes the options of serve.");
    EraseOptions subject = add(erase.spec, EraseOptions.class);
    ServeOptions options = add(erase.spec, ServeOptions.class);
    OperationOptions operation = add(erase.spec, OperationOptions.class);
    StoreOptions stores = add(erase.spec, StoreOptions.class);
    erase.action =
        () -> {
          if (subject.customer().isPresent() == subject.key().isPresent()) {
            throw new ParameterException(
                erase.spec.commandLine(), "Give either --customer or --key");
          }
          StoreConfig config = config(erase.spec, options, operation, stores).stores();
          if (!config.isShared()) {
            throw invalid(erase.spec, "--store", "'memory' keeps nothing after its process");
          }
          return actions.erase(config, subject);
        };
    return erase.spec;
  }

  /** Creates {@code psp}. */
  static CommandSpec psp(CommandActions actions) {
    Command psp = new Command("psp", "Runs the simulated payment service provider.");
    PspOptions options = add(psp.spec, PspOptions.class);
    psp.action = () -> actions.psp(options);
    return psp.spec;
  }

  private static ServeConfig config(
      CommandSpec spec, ServeOptions options, OperationOptions operation, StoreOptions stores) {
    StoreConfig storeConfig = StoreConfig.of(stores, spec);
    if (options.retention().compareTo(options.lease()) < 0) {
      throw invalid(spec, "--retention", "it is shorter than the lease");
    }
    if (options.retention().compareTo(MAX_RETENTION) > 0) {
      throw invalid(spec, "--retention", "it is longer than 400d");
    }
    if (operation.tlsCert().isPresent() != operation.tlsKey().isPresent()) {
      boolean cert = operation.tlsCert().isPresent();
      throw invalid(
          spec,
          cert ? "--tls-cert" : "--tls-key",
          "it needs " + (cert ? "--tls-key" : "--tls-cert"));
    }
    return new ServeConfig(
        options, operation, storeConfig, options.apiKeys().map(list -> keys(spec, list)));
  }

  private static ApiKeys keys(CommandSpec spec, String list) {
    try {
      return ApiKeys.parse(list);
    } catch (IllegalArgumentException e) {
      throw invalid(spec, "--api-keys", String.valueOf(e.getMessage()));
    }
  }

  /** Adds the options of an annotated interface; returns the instance that picocli fills. */
  static <T> T add(CommandSpec command, Class<T> options) {
    CommandSpec mixin = CommandSpec.forAnnotatedObject(options);
    command.addMixin(options.getSimpleName(), mixin);
    return options.cast(mixin.userObject());
  }

  /** Appends environment variable and default to the description of every option. */
  static void completeHelp(CommandSpec command) {
    for (OptionSpec option : new ArrayList<>(command.options())) {
      if (!option.usageHelp()) {
        boolean flag = option.type() == boolean.class;
        String byDefault = flag ? "false" : option.defaultValue();
        String setting =
            " (%s, default: %s)"
                .formatted(
                    SettingSources.variableOf(option.longestName()) + (flag ? "=true" : ""),
                    byDefault == null ? "none" : byDefault);
        command.remove(option);
        command.addOption(
            option.toBuilder()
                .description(String.join("", option.description()) + setting)
                .build());
      }
    }
  }

  /**
   * Returns the rejection of a value, which ends the command with exit code 2.
   *
   * @param reason without the value, which may be a secret
   */
  static ParameterException invalid(CommandSpec command, String option, String reason) {
    return new ParameterException(
        command.commandLine(),
        "Invalid value for option '" + option + "': " + reason,
        command.findOption(option),
        "");
  }
}
