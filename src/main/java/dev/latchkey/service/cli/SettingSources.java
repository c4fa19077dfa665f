package dev.latchkey.service.cli;

import dev.latchkey.service.ops.LogConfigurator;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Values of options without a flag: from the environment variable, then from the key in the file
 * that {@code --config} names. Records the origin of each value for error messages. For one parse
 * on one thread.
 */
public final class SettingSources implements IDefaultValueProvider {

  private static final String CONFIG = "--config";
  private static final String PREFIX = "LATCHKEY_";
  private static final Map<String, String> OTHER_VARIABLES =
      Map.of("--host", "LATCHKEY_HTTP_HOST", "--port", "LATCHKEY_HTTP_PORT");

  /** Read by the log. */
  private static final String LOG_LEVEL = LogConfigurator.LEVEL;

  /** Read by the start scripts. */
  private static final String JAR = PREFIX + "JAR";

  private static final String HELP = "--help";

  private final Map<String, String> environment;
  private final Map<String, String> origins = new HashMap<>();
  private @Nullable Map<String, String> file;

  SettingSources(Map<String, String> environment) {
    this.environment = Map.copyOf(environment);
  }

  /** Returns the environment variable of an option such as {@code --run-limit}. */
  public static String variableOf(String option) {
    return OTHER_VARIABLES.getOrDefault(
        option, PREFIX + option.substring(2).toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** Returns the origin of a value that did not come from a flag. */
  Optional<String> originOf(ArgSpec arg) {
    return Optional.ofNullable(origins.get(nameOf(arg)));
  }

  /** Returns variables with our prefix that belong to no option, probably misspelt. */
  Set<String> unknownVariables(CommandSpec root) {
    Set<String> unknown = new TreeSet<>();
    for (String name : environment.keySet()) {
      if (name.startsWith(PREFIX)) {
        unknown.add(name);
      }
    }
    unknown.remove(LOG_LEVEL);
    unknown.remove(JAR);
    for (CommandLine command : root.subcommands().values()) {
      for (OptionSpec option : command.getCommandSpec().options()) {
        unknown.remove(variableOf(option.longestName()));
      }
    }
    return unknown;
  }

  @Override
  public @Nullable String defaultValue(ArgSpec arg) {
    String name = nameOf(arg);
    if (!name.startsWith("--") || name.equals(HELP)) {
      return null;
    }
    String variable = variableOf(name);
    String fromEnvironment = environment.get(variable);
    if (fromEnvironment != null) {
      origins.put(name, "environment variable " + variable);
      return fromEnvironment;
    }
    if (name.equals(CONFIG)) {
      return null;
    }
    String fromFile = file(arg.command()).get(name.substring(2));
    if (fromFile != null) {
      origins.put(name, "key '" + name.substring(2) + "' of the configuration file");
    }
    return fromFile;
  }

  private Map<String, String> file(CommandSpec command) {
    Map<String, String> read = file;
    if (read == null) {
      read = configPath(command).map(path -> load(path, command)).orElse(Map.of());
      file = read;
    }
    return read;
  }

  private Optional<Path> configPath(CommandSpec command) {
    OptionSpec option = command.findOption(CONFIG);
    if (option == null) {
      return Optional.empty();
    }
    Optional<Path> flag =
        option.getValue() instanceof Optional<?> set
            ? set.map(Path.class::cast)
            : Optional.ofNullable(option.<Path>getValue());
    return flag.or(() -> Optional.ofNullable(environment.get(variableOf(CONFIG))).map(Path::of));
  }

  private static Map<String, String> load(Path path, CommandSpec command) {
    Map<String, String> values;
    try {
      values = FlatYaml.read(path);
    } catch (FlatYaml.MalformedException e) {
      throw new ParameterException(
          command.commandLine(), "Invalid configuration file " + path + ": " + e.getMessage());
    }
    for (String key : values.keySet()) {
      OptionSpec option = command.findOption("--" + key);
      if (option == null || key.equals("config") || HELP.equals("--" + key)) {
        throw new ParameterException(
            command.commandLine(), "Unknown key '" + key + "' in configuration file " + path);
      }
    }
    return values;
  }

  private static String nameOf(ArgSpec arg) {
    return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
  }
}
