package dev.latchkey.service.cli;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.latchkey.service.ops.LogConfigurator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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

  /** Read by the log and the start scripts. */
  private static final Set<String> OTHERS = Set.of(LogConfigurator.LEVEL, PREFIX + "JAR");

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
  Set<String> unknownVariables(Stream<CommandSpec> commands) {
    Set<String> unknown = new TreeSet<>(environment.keySet());
    unknown.removeIf(name -> !name.startsWith(PREFIX) || OTHERS.contains(name));
    Iterator<CommandSpec> each = commands.iterator();
    while (!unknown.isEmpty() && each.hasNext()) {
      each.next().options().forEach(option -> unknown.remove(variableOf(option.longestName())));
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
      values = read(path);
    } catch (IOException e) {
      throw new ParameterException(
          command.commandLine(), "Invalid configuration file " + path + ": " + reason(e));
    }
    for (Map.Entry<String, String> entry : values.entrySet()) {
      OptionSpec option = command.findOption("--" + entry.getKey());
      if (option == null || entry.getKey().equals("config") || option.usageHelp()) {
        throw new ParameterException(
            command.commandLine(),
            "Unknown key '" + entry.getKey() + "' in configuration file " + path);
      }
      if (entry.getValue() == null) {
        throw new ParameterException(
            command.commandLine(),
            "Invalid configuration file " + path + ": '" + entry.getKey() + "' has no value");
      }
    }
    return values;
  }

  /** Values keep their text, so that a secret like {@code 0123} is not read as a number. */
  private static Map<String, String> read(Path path) throws IOException {
    ObjectMapper yaml =
        new ObjectMapper(new YAMLFactory())
            .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    byte[] bytes = Files.readAllBytes(path);
    return new String(bytes, StandardCharsets.UTF_8).isBlank()
        ? Map.of()
        : yaml.readValue(bytes, new TypeReference<LinkedHashMap<String, String>>() {});
  }

  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file";
    }
    if (!(e instanceof JsonProcessingException malformed)) {
      return "it cannot be read (" + e.getClass().getSimpleName() + ")";
    }
    String key =
        malformed instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()
            ? ", key '" + mapping.getPath().get(0).getFieldName() + "'"
            : "";
    return "not a single YAML map of option names to plain values (line "
        + malformed.getLocation().getLineNr()
        + key
        + ")";
  }

  private static String nameOf(ArgSpec arg) {
    return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
  }
}
