package dev.latchkey.service.cli;

import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

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
