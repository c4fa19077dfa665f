package dev.latchkey.service.cli;

import dev.latchkey.service.cli.ValueConverters.CountConverter;
import dev.latchkey.service.cli.ValueConverters.DurationConverter;
import dev.latchkey.service.cli.ValueConverters.LogFormatConverter;
import dev.latchkey.service.cli.ValueConverters.PathConverter;
import dev.latchkey.service.cli.ValueConverters.PauseConverter;
import dev.latchkey.service.cli.ValueConverters.PortConverter;
import dev.latchkey.service.cli.ValueConverters.TextConverter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of {@code serve} for its operation. picocli implements the interface. */
public interface OperationOptions {

  /** The format of the log. */
  enum LogFormat {
    /** For people. */
    TEXT,
    /** One object per line. */
    JSON
  }

  @Option(
      names = "--log-format",
      defaultValue = "text",
      converter = LogFormatConverter.class,
      description = "Format of the log: text or json.")
  LogFormat logFormat();

  @Option(names = "--access-log", description = "Log each response.")
  boolean accessLog();

  @Option(
      names = "--tls-cert",
      paramLabel = "<file>",
      converter = PathConverter.class,
      description = "Certificate and chain in PEM: serve HTTPS. Reloaded when it changes.")
  Optional<Path> tlsCert();

  @Option(
      names = "--tls-key",
      paramLabel = "<file>",
      converter = PathConverter.class,
      description = "Private key of --tls-cert in PEM.")
  Optional<Path> tlsKey();

  @Option(
      names = "--max-connections",
      defaultValue = "20000",
      converter = CountConverter.class,
      description = "Maximum client connections; at the limit idle ones are closed first.")
  int maxConnections();

  @Option(
      names = "--ops-port",
      converter = PortConverter.class,
      description =
          "Port for /metrics and /health/*, which the public port then does not serve; 0 for any free port.")
  Optional<Integer> opsPort();

  @Option(
      names = "--ops-host",
      defaultValue = "127.0.0.1",
      converter = TextConverter.class,
      description = "Address for --ops-port.")
  String opsHost();

  @Option(
      names = "--drain-timeout",
      defaultValue = "30s",
      converter = DurationConverter.class,
      description = "Time for running requests after the node has stopped accepting.")
  Duration drainTimeout();

  @Option(
      names = "--drain-delay",
      defaultValue = "0s",
      converter = PauseConverter.class,
      description = "Time after SIGTERM during which the node only reports that it is not ready.")
  Duration drainDelay();
}
