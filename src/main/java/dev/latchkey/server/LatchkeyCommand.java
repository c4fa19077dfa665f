package dev.latchkey.server;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
  private static final String DEFAULT_COMMAND = "serve";
  private static final int USAGE_WIDTH = 100;

  private final Map<String, String> environment;
  private final List<Object> commands;

  /**
   * Makes the command line.
   *
   * @param environment the variables of the process
   * @param serve runs the service, returns its exit code
   * @param migrate brings a schema up to date, returns its exit code
   * @param psp runs the simulated PSP, returns its exit code
   * @param more further commands, annotated with picocli's {@code @Command}
   */
  public LatchkeyCommand(
      Map<String, String> environment,
      ToIntFunction<ServeConfig> serve,
      ToIntFunction<PostgresLocation> migrate,
      ToIntFunction<PspConfig> psp,
      List<Object> more) {
    this.environment = Map.copyOf(environment);
    this.commands =
        Stream.concat(
                Stream.of(
                    new ServeCommand(serve), new MigrateCommand(migrate), new PspCommand(psp)),
                more.stream())
            .toList();
  }

  /**
   * Runs one command line to its end.
   *
   * @param args command and options; {@code serve} when the first is an option or there is none
   * @return the exit code
   */
  public int execute(String... args) {
    return commandLine(asksForHelp(args)).execute(withCommand(args));
  }

  int execute(PrintWriter out, PrintWriter err, String... args) {
    return commandLine(asksForHelp(args)).setOut(out).setErr(err).execute(withCommand(args));
  }

  /**
   * Makes the parser. For help it shows the defaults as they are built in; otherwise it fills in
   * what environment and file say.
   */
  CommandLine commandLine(boolean forHelp) {
    CommandLine root = new CommandLine(this);
    commands.forEach(root::addSubcommand);
    root.setExpandAtFiles(false);
    root.setUsageHelpWidth(USAGE_WIDTH);
    SettingSources sources = new SettingSources(environment);
    for (CommandLine command : root.getSubcommands().values()) {
      command.getCommandSpec().usageMessage().footer(footer(root));
      if (!forHelp) {
        command.setInterpolateVariables(false);
        command.setDefaultValueProvider(sources);
      }
    }
    root.setParameterExceptionHandler(refusal(sources));
    root.setExecutionExceptionHandler(failure());
    root.setExecutionStrategy(
        parsed -> {
          warnOf(sources.unknownVariables(root.getCommandSpec()));
          return new CommandLine.RunLast().execute(parsed);
        });
    return root;
  }

  private static String[] footer(CommandLine root) {
    String names = String.join(", ", root.getSubcommands().keySet());
    return new String[] {
      "",
      "Commands: " + names + "; latchkey COMMAND --help tells more.",
      "A flag beats its environment variable, that beats the key of the file (the flag's name",
      "without dashes). Durations: 250ms, 10s, 5m, 24h. Sizes: bytes, 64KiB, 1MiB, 2GiB."
    };
  }

  private static String[] withCommand(String[] args) {
    if (args.length > 0 && !args[0].startsWith("-")) {
      return args;
    }
    String[] all = new String[args.length + 1];
    all[0] = DEFAULT_COMMAND;
    System.arraycopy(args, 0, all, 1, args.length);
    return all;
  }

  private static boolean asksForHelp(String[] args) {
    return Arrays.stream(args).anyMatch(Set.of("-h", "--help")::contains);
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
}
