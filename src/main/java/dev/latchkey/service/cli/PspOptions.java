package dev.latchkey.service.cli;

import dev.latchkey.service.cli.SecretConverters.SecretConverter;
import dev.latchkey.service.cli.ValueConverters.HttpUrlConverter;
import dev.latchkey.service.cli.ValueConverters.PathConverter;
import dev.latchkey.service.cli.ValueConverters.PortConverter;
import dev.latchkey.service.cli.ValueConverters.TextConverter;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of {@code psp}. picocli implements the interface. */
public interface PspOptions {

  @Option(
      names = "--host",
      defaultValue = "127.0.0.1",
      converter = TextConverter.class,
      description = "Address to listen on.")
  String host();

  @Option(
      names = "--port",
      defaultValue = "8090",
      converter = PortConverter.class,
      description = "Port to listen on, 0 for any free port.")
  int port();

  @Option(
      names = "--data",
      paramLabel = "<dir>",
      converter = PathConverter.class,
      description =
          "Directory for the state, created if absent. Without it, the state is in memory.")
  Optional<Path> data();

  @Option(names = "--psp-secret", converter = SecretConverter.class, description = "Signs events.")
  Optional<String> secret();

  @Option(
      names = "--events-url",
      converter = HttpUrlConverter.class,
      description = "Receiver of events.")
  Optional<URI> eventsUrl();
}
