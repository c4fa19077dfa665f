package dev.latchkey.service.cli;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command; {@link SettingSources} reads the file that one of them names. */
@SuppressWarnings("UnusedVariable") // picocli reads them, by reflection
final class CommonOptions {

  @Option(
      names = "--config",
      paramLabel = "<file>",
      description =
          "Flat YAML file with the same options by name, beaten by flags and environment"
              + " (LATCHKEY_CONFIG, default: none).")
  private @Nullable Path config;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this and exit.")
  private boolean help;
}
