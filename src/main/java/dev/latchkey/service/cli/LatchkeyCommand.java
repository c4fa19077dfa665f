package dev.latchkey.service.cli;

import dev.latchkey.service.ops.LogConfigurator;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * The command line of the jar. Invalid configuration ends with exit code 2 and one line on standard
 * error, a failed start with 1 and one line.
 */
@Command(name = "latchkey", description = "A payments API that makes retries safe.")
public final class LatchkeyCommand {

  private static final Logger LOG = LoggerFactory.getLogger(LatchkeyCommand.class);
  private static final int USAGE_WIDTH = 100;

  private final Map<String, String> environment;
  private final CommandActions actions;
  private final Map<String, ?> otherCommands;

  /**
   * Creates the command line.
   *
   * @param environment the variables of the process
   * @param actions executes the commands
   * @param otherCommands further commands by name, annotated with picocli's {@code @Command}
   */
  public LatchkeyCommand(
      Map<String, String> environment, CommandActions actions, Map<String, ?> otherCommands) {
    this.environment = Map.copyOf(environment);
    this.actions = actions;
    this.otherCommands = Map.copyOf(otherCommands);
  }

  /**
   * Executes one command line.
   *
   * @param args command and options; {@code serve} if the first is an option or there is none
   * @return the exit code
   */
  public int execute(String... args) {
    return commandLine(asksForHelp(args)).execute(withCommand(args));
  }

  int execute(PrintWriter out, PrintWriter err, String... args) {
    return commandLine(asksForHelp(args)).setOut(out).setErr(err).execute(withCommand(args));
  }

  private static boolean asksForHelp(String... args) {
    return List.of(args).contains("-h") || List.of(args).contains("--help");
  }

  private static String[] withCommand(String... args) {
    if (args.length > 0 && !args[0].startsWith("-")) {
      return args;
    }
    String[] all = new String[args.length + 1];
    all[0] = ServeCommand.NAME;
    System.arraycopy(args, 0, all, 1, args.length);
    return all;
  }

  /**
   * Creates the parser.
   *
   * @param forHelp true to show the built-in defaults, false to apply environment and file
   */
  public CommandLine commandLine(boolean forHelp) {
    CommandLine root = new CommandLine(this);
    for (CommandSpec command :
        List.of(
            ServeCommand.serve(actions),
            ServeCommand.migrate(actions),
            PspCommand.create(actions))) {
      OptionGroups.add(command, CommonOptions.class);
      if (forHelp) {
        OptionGroups.completeHelp(command);
      }
      root.addSubcommand(command.name(), command);
    }
    otherCommands.forEach(root::addSubcommand);
    root.setExpandAtFiles(false);
    root.setUsageHelpWidth(USAGE_WIDTH);
    SettingSources sources = new SettingSources(environment);
    for (CommandLine command : root.getSubcommands().values()) {
      if (forHelp) {
        command.getCommandSpec().usageMessage().footer(footer(root.getSubcommands().keySet()));
      } else {
        command.setInterpolateVariables(false); // values may be secrets
        command.setDefaultValueProvider(sources);
      }
    }
    root.setParameterExceptionHandler(rejection(sources));
    root.setExecutionExceptionHandler(failure());
    root.setExecutionStrategy(
        parsed -> {
          warnOfUnknown(sources.unknownVariables(root.getCommandSpec()));
          return new CommandLine.RunLast().execute(parsed);
        });
    return root;
  }

  private static String[] footer(Set<String> commands) {
    return new String[] {
      "",
      "Commands: " + String.join(", ", commands) + ". See latchkey COMMAND --help.",
      "A flag overrides its environment variable, which overrides its key in the file (the flag",
      "without the dashes). Durations: 250ms, 10s, 5m, 24h. Sizes: bytes, 64KiB, 1MiB, 2GiB."
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

  private static String oneLine(Exception e) {
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    String line = message.lines().map(String::strip).collect(Collectors.joining(" "));
    // picocli quotes a URI that was given to the wrong option; its password must not show.
    return line.replaceAll("://.*@", "://***@");
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
