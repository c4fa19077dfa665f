package dev.latchkey.service.cli;

import dev.latchkey.service.cli.OperationOptions.LogFormat;
import dev.latchkey.service.ops.LogConfigurator;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line of the jar. Invalid configuration ends with exit code 2 and one line on standard
 * error, a failed start with 1 and one line.
 */
public final class LatchkeyCommand {

  private static final Logger LOG = LoggerFactory.getLogger(LatchkeyCommand.class);
  private static final int USAGE_WIDTH = 100;
  private static final Pattern OPTION_NAME = Pattern.compile("--[a-z][a-z-]{0,40}+");

  private final Map<String, String> environment;
  private final Map<String, Supplier<?>> commands = new LinkedHashMap<>();

  /**
   * Creates the command line.
   *
   * @param environment the variables of the process
   * @param actions executes the commands
   * @param otherCommands further commands by name, annotated with picocli's {@code @Command}
   */
  public LatchkeyCommand(
      Map<String, String> environment,
      CommandActions actions,
      Map<String, Supplier<?>> otherCommands) {
    this.environment = Map.copyOf(environment);
    commands.put(ServiceCommands.SERVE, () -> ServiceCommands.serve(actions));
    commands.put("migrate", () -> ServiceCommands.migrate(actions));
    commands.put("psp", () -> ServiceCommands.psp(actions));
    commands.put("erase", () -> ServiceCommands.erase(actions));
    commands.putAll(otherCommands);
  }

  /**
   * Executes one command line.
   *
   * @param args command and options; {@code serve} if the first is an option or there is none
   * @return the exit code
   */
  public int execute(String... args) {
    Charset charset = Charset.defaultCharset();
    return execute(
        new PrintWriter(System.out, true, charset),
        new PrintWriter(System.err, true, charset),
        args);
  }

  int execute(PrintWriter out, PrintWriter err, String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    if (args.length == 0 || args[0].startsWith("-")) {
      all.add(0, ServiceCommands.SERVE);
    }
    if (!commands.containsKey(all.get(0))) {
      err.println("Unknown command; one of: " + String.join(", ", commands.keySet()));
      return CommandLine.ExitCode.USAGE;
    }
    boolean forHelp = all.contains("-h") || all.contains("--help");
    return commandLine(all.get(0), forHelp)
        .setOut(out)
        .setErr(err)
        .execute(all.subList(1, all.size()).toArray(String[]::new));
  }

  /**
   * Creates the parser of one command; the others are left out because each takes startup time.
   *
   * @param name of the command
   * @param forHelp true to show the built-in defaults, false to apply environment and file
   */
  public CommandLine commandLine(String name, boolean forHelp) {
    CommandLine command = create(name);
    command.setExpandAtFiles(false);
    command.setUsageHelpWidth(USAGE_WIDTH);
    SettingSources sources = new SettingSources(environment);
    if (forHelp) {
      ServiceCommands.completeHelp(command.getCommandSpec());
      command.getCommandSpec().usageMessage().footer(footer());
    } else {
      command.setInterpolateVariables(false); // values may be secrets
      command.setDefaultValueProvider(sources);
    }
    command.setParameterExceptionHandler(rejection(sources));
    command.setExecutionExceptionHandler(failure());
    command.setExecutionStrategy(
        parsed -> {
          OptionSpec format = parsed.commandSpec().findOption("--log-format");
          if (format != null && format.getValue() == LogFormat.JSON) {
            LogConfigurator.useJson();
          }
          warnOfUnknown(
              sources.unknownVariables(
                  Stream.concat(Stream.of(name), commands.keySet().stream())
                      .map(each -> create(each).getCommandSpec())));
          return new CommandLine.RunLast().execute(parsed);
        });
    return command;
  }

  private CommandLine create(String name) {
    CommandLine command = new CommandLine(Objects.requireNonNull(commands.get(name)).get());
    command.setCommandName("latchkey " + name);
    return command;
  }

  private String[] footer() {
    return new String[] {
      "",
      "Commands: " + String.join(", ", commands.keySet()) + ". See latchkey COMMAND --help.",
      "A flag overrides its environment variable, which overrides its key in the file (the flag",
      "without the dashes). Durations: 250ms, 10s, 5m, 24h, 30d. Sizes: bytes, 64KiB, 1MiB, 2GiB.",
      "--api-keys, --psp-secret, --postgres-uri and --redis-uri accept @FILE: the file's content."
    };
  }

  private static IParameterExceptionHandler rejection(SettingSources sources) {
    return (e, args) -> {
      String origin =
          e.getArgSpec() == null
              ? ""
              : sources.originOf(e.getArgSpec()).map(from -> " (from " + from + ")").orElse("");
      e.getCommandLine().getErr().println(oneLine(e) + origin);
      return CommandLine.ExitCode.USAGE;
    };
  }

  private static IExecutionExceptionHandler failure() {
    return (e, commandLine, parsed) -> {
      if (e instanceof ParameterException rejected) {
        throw rejected;
      }
      commandLine.getErr().println("latchkey: " + oneLine(e));
      return CommandLine.ExitCode.SOFTWARE;
    };
  }

  /** Shows no value: it may be a secret, or a part of one that the shell split off. */
  private static String oneLine(Exception e) {
    if (e instanceof UnmatchedArgumentException unmatched) {
      String first = unmatched.getUnmatched().get(0);
      String name = first.split("=", 2)[0];
      return OPTION_NAME.matcher(name).matches()
          ? "Unknown option: '" + name + "'"
          : "Unexpected argument that belongs to no option (not shown: it may be a secret)";
    }
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    String value = e instanceof ParameterException rejected ? rejected.getValue() : null;
    String shown = value == null ? message : message.replace("'" + value + "'", "it");
    return shown.lines().map(String::strip).collect(Collectors.joining(" "));
  }

  private static void warnOfUnknown(Set<String> variables) {
    if (!variables.isEmpty()) {
      LOG.warn("unknown environment variables: {}", variables);
    }
    LogConfigurator.unknownLevel()
        .ifPresent(
            level ->
                LOG.warn(
                    "{} is '{}', not one of OFF, ERROR, WARN, INFO, DEBUG, TRACE; using INFO",
                    LogConfigurator.LEVEL,
                    level));
  }
}
