package dev.latchkey.service.cli;

import dev.latchkey.service.ops.LogConfigurator;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;

/**
 * The command line of the jar: commands, and how their options are found and refused. What cannot
 * be understood ends with exit code 2 and one line on standard error, what cannot be started with 1
 * and one line.
 */
@Command(name = "latchkey", description = "A payments API that makes retries safe.")
public final class LatchkeyCommand {

  private static final Logger LOG = LoggerFactory.getLogger(LatchkeyCommand.class);
  private static final int USAGE_WIDTH = 100;

  private final Map<String, String> environment;
  private final Map<String, Supplier<?>> commands = new LinkedHashMap<>();

  /**
   * Makes the command line.
   *
   * @param environment the variables of the process
   * @param actions execute the commands
   * @param more further commands by name, annotated with picocli's {@code @Command}; made when they
   *     are asked for
   */
  public LatchkeyCommand(
      Map<String, String> environment, CommandActions actions, Map<String, Supplier<?>> more) {
    this.environment = Map.copyOf(environment);
    commands.put(CommandWords.DEFAULT_COMMAND, () -> new ServeCommand(actions::serve));
    commands.put("migrate", () -> new MigrateCommand(actions));
    commands.put("psp", () -> new PspCommand(actions::psp));
    commands.putAll(more);
  }

  /**
   * Runs one command line to its end.
   *
   * @param args command and options; {@code serve} when the first is an option or there is none
   * @return the exit code
   */
  public int execute(String... args) {
    return commandLine(args).execute(CommandWords.withCommand(args));
  }

  int execute(PrintWriter out, PrintWriter err, String... args) {
    return commandLine(args).setOut(out).setErr(err).execute(CommandWords.withCommand(args));
  }

  /**
   * Makes the parser that a command line needs. Reading a command's options by reflection takes
   * longer than parsing them, so a command that is called by its name is the only one it knows.
   */
  private CommandLine commandLine(String... args) {
    String name = CommandWords.withCommand(args)[0];
    boolean forHelp = CommandWords.asksForHelp(args);
    return forHelp || !commands.containsKey(name)
        ? commandLine(forHelp)
        : commandLine(false, Set.of(name));
  }

  /**
   * Makes the parser. For help it shows the defaults as they are built in; otherwise it fills in
   * what environment and file say.
   */
  public CommandLine commandLine(boolean forHelp) {
    return commandLine(forHelp, commands.keySet());
  }

  private CommandLine commandLine(boolean forHelp, Set<String> names) {
    CommandLine root = rootOf(names);
    root.setExpandAtFiles(false);
    root.setUsageHelpWidth(USAGE_WIDTH);
    SettingSources sources = new SettingSources(environment);
    for (CommandLine command : root.getSubcommands().values()) {
      if (forHelp) {
        command.getCommandSpec().usageMessage().footer(footer());
      } else {
        command.setInterpolateVariables(false);
        command.setDefaultValueProvider(sources);
      }
    }
    root.setParameterExceptionHandler(refusal(sources));
    root.setExecutionExceptionHandler(failure());
    root.setExecutionStrategy(
        parsed -> {
          warnOf(unknownVariables(sources, root));
          warnOfLevel(LogConfigurator.unknownLevel());
          return new CommandLine.RunLast().execute(parsed);
        });
    return root;
  }

  private CommandLine rootOf(Set<String> names) {
    CommandLine root = new CommandLine(this);
    commands.forEach(
        (name, made) -> {
          if (names.contains(name)) {
            root.addSubcommand(made.get());
          }
        });
    return root;
  }

  /** Asks the commands that were not called, too, but only when there is something to ask about. */
  private Set<String> unknownVariables(SettingSources sources, CommandLine root) {
    Set<String> unknown = sources.unknownVariables(root.getCommandSpec());
    return unknown.isEmpty() || root.getSubcommands().size() == commands.size()
        ? unknown
        : sources.unknownVariables(rootOf(commands.keySet()).getCommandSpec());
  }

  private String[] footer() {
    String names = String.join(", ", commands.keySet());
    return new String[] {
      "",
      "Commands: " + names + "; latchkey COMMAND --help tells more.",
      "A flag beats its environment variable, that beats the key of the file (the flag's name",
      "without the two dashes before it). Durations: 250ms, 10s, 5m, 24h. Sizes: bytes, 64KiB, 1MiB,",
      "2GiB."
    };
  }

  private static IParameterExceptionHandler refusal(SettingSources sources) {
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
      if (e instanceof ParameterException refused) {
        throw refused;
      }
      commandLine.getErr().println("latchkey: " + oneLine(e));
      return CommandLine.ExitCode.SOFTWARE;
    };
  }

  private static String oneLine(Exception e) {
    String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    String line = message.lines().map(String::strip).collect(Collectors.joining(" "));
    // A URI given to the wrong option, or to none, is quoted by the parser: without its password.
    return line.replaceAll("://.*@", "://***@");
  }

  private static void warnOf(Set<String> unknownVariables) {
    if (!unknownVariables.isEmpty()) {
      LOG.warn("environment variables that no option knows: {}", unknownVariables);
    }
  }

  private static void warnOfLevel(Optional<String> unknown) {
    unknown.ifPresent(
        level ->
            LOG.warn(
                "{} is '{}', which is none of OFF, ERROR, WARN, INFO, DEBUG, TRACE: INFO is taken",
                LogConfigurator.LEVEL,
                level));
  }
}
