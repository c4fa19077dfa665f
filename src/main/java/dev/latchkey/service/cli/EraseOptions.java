package dev.latchkey.service.cli;

import dev.latchkey.service.cli.ValueConverters.TextConverter;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of {@code erase}. picocli implements the interface. */
public interface EraseOptions {

  @Option(
      names = "--tenant",
      required = true,
      converter = TextConverter.class,
      description = "Tenant of the data; 'default' without API keys.")
  String tenant();

  @Option(
      names = "--customer",
      converter = TextConverter.class,
      description = "The customer, as payments name it.")
  Optional<String> customer();

  @Option(
      names = "--key",
      converter = TextConverter.class,
      description = "The idempotency key, instead of a customer.")
  Optional<String> key();

  @Option(names = "--yes", description = "Remove the data. Without it, only print one line each.")
  boolean yes();
}
