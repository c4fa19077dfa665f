package dev.latchkey.service.cli;

import dev.latchkey.service.cli.ValueConverters.DirectoryConverter;
import dev.latchkey.service.cli.ValueConverters.HttpUrlConverter;
import dev.latchkey.service.cli.ValueConverters.PortConverter;
import dev.latchkey.service.cli.ValueConverters.TextConverter;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code psp}; the run itself is given from outside. */
@Command(name = "psp", description = "Runs the simulated payment service provider by itself.")
@SuppressWarnings("NullAway.Init") // picocli fills the fields before anything reads them
final class PspCommand implements Callable<Integer> {

  private final ToIntFunction<PspConfig> run;

  @Option(
      names = "--host",
      defaultValue = "127.0.0.1",
      converter = TextConverter.class,
      description = "Address to listen on (LATCHKEY_HTTP_HOST, default ${DEFAULT-VALUE}).")
  private String host;

  @Option(
      names = "--port",
      defaultValue = "8090",
      converter = PortConverter.class,
      description =
          "Port to listen on, 0 for any free one (LATCHKEY_HTTP_PORT, default ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--data",
      paramLabel = "<dir>",
      converter = DirectoryConverter.class,
      description =
          "Directory for its state, created if absent (LATCHKEY_DATA, default: in memory).")
  private @Nullable Path data;

  @Option(
      names = "--psp-secret",
      converter = TextConverter.class,
      description = "Signs its events (LATCHKEY_PSP_SECRET, default: none).")
  private @Nullable String secret;

  @Option(
      names = "--events-url",
      converter = HttpUrlConverter.class,
      description = "Where its events go (LATCHKEY_EVENTS_URL, default: nowhere).")
  private @Nullable URI eventsUrl;

  @Mixin
  @SuppressWarnings("UnusedVariable") // picocli reads it, by reflection
  private final CommonOptions common = new CommonOptions();

  PspCommand(ToIntFunction<PspConfig> run) {
    this.run = run;
  }

  @Override
  public Integer call() {
    return run.applyAsInt(
        new PspConfig(
            host,
            port,
            Optional.ofNullable(data),
            Optional.ofNullable(secret),
            Optional.ofNullable(eventsUrl)));
  }
}
