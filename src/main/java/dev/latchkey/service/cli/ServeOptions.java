package dev.latchkey.service.cli;

import dev.latchkey.service.cli.SecretConverters.SecretConverter;
import dev.latchkey.service.cli.ValueConverters.BufferSizeConverter;
import dev.latchkey.service.cli.ValueConverters.CountConverter;
import dev.latchkey.service.cli.ValueConverters.DurationConverter;
import dev.latchkey.service.cli.ValueConverters.HttpUrlConverter;
import dev.latchkey.service.cli.ValueConverters.InstancesConverter;
import dev.latchkey.service.cli.ValueConverters.PortConverter;
import dev.latchkey.service.cli.ValueConverters.SizeConverter;
import dev.latchkey.service.cli.ValueConverters.TextConverter;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of {@code serve}, except for the stores. picocli implements the interface. */
public interface ServeOptions {

  @Option(
      names = "--host",
      defaultValue = "127.0.0.1",
      converter = TextConverter.class,
      description = "Address to listen on.")
  String host();

  @Option(
      names = "--port",
      defaultValue = "8080",
      converter = PortConverter.class,
      description = "Port to listen on, 0 for any free port.")
  int port();

  @Option(
      names = "--psp-url",
      converter = HttpUrlConverter.class,
      description = "PSP. Without it, a simulator runs in this process.")
  Optional<URI> pspUrl();

  @Option(
      names = "--psp-timeout",
      defaultValue = "65s",
      converter = DurationConverter.class,
      description = "Limit for the PSP's response, retries included.")
  Duration pspTimeout();

  @Option(
      names = "--psp-secret",
      converter = SecretConverter.class,
      description = "Signs and verifies the PSP's events; not used yet.")
  Optional<String> pspSecret();

  @Option(
      names = "--api-keys",
      paramLabel = "<list>",
      converter = TextConverter.class,
      description =
          "Callers: tenant:secret,tenant:secret, or @FILE with the same list, separated by commas or line breaks. Without it, every caller is the tenant default.")
  Optional<String> apiKeys();

  @Option(
      names = "--insecure-no-auth",
      description = "Accept calls from other hosts without API keys.")
  boolean insecureNoAuth();

  @Option(
      names = "--lease",
      defaultValue = "10s",
      converter = DurationConverter.class,
      description = "Lifetime of a claim without a renewal.")
  Duration lease();

  @Option(
      names = "--run-limit",
      defaultValue = "5m",
      converter = DurationConverter.class,
      description = "Maximum duration of one attempt.")
  Duration runLimit();

  @Option(
      names = "--wait",
      defaultValue = "30s",
      converter = DurationConverter.class,
      description = "How long a duplicate waits unless it says otherwise.")
  Duration defaultWait();

  @Option(
      names = "--wait-max",
      defaultValue = "60s",
      converter = DurationConverter.class,
      description = "Longest wait that a request may ask for.")
  Duration waitMax();

  @Option(
      names = "--retention",
      defaultValue = "24h",
      converter = DurationConverter.class,
      description =
          "Retention of a key, counted from its first use; at least the lease, at most 400d.")
  Duration retention();

  @Option(
      names = "--max-body",
      defaultValue = "1MiB",
      converter = BufferSizeConverter.class,
      description = "Maximum size of a request body.")
  int maxBodyBytes();

  @Option(
      names = "--max-response",
      defaultValue = "1MiB",
      converter = BufferSizeConverter.class,
      description = "Maximum size of a stored response.")
  int maxResponseBytes();

  @Option(
      names = "--max-parked",
      defaultValue = "20000",
      converter = CountConverter.class,
      description = "Maximum parked requests on this node.")
  int maxParked();

  @Option(
      names = "--max-parked-per-tenant",
      defaultValue = "15000",
      converter = CountConverter.class,
      description = "Maximum parked requests of one tenant.")
  int maxParkedPerTenant();

  @Option(
      names = "--max-parked-per-key",
      defaultValue = "10000",
      converter = CountConverter.class,
      description = "Maximum parked requests with one key.")
  int maxParkedPerKey();

  @Option(
      names = "--max-running",
      defaultValue = "10000",
      converter = CountConverter.class,
      description = "Maximum concurrent attempts on this node.")
  int maxRunning();

  @Option(
      names = "--max-running-per-tenant",
      converter = CountConverter.class,
      description =
          "Maximum concurrent attempts of one tenant. Applies with API keys only; without it, half"
              + " of --max-running.")
  Optional<Integer> maxRunningPerTenant();

  @Option(
      names = "--max-held",
      converter = SizeConverter.class,
      description =
          "Maximum bytes of headers, bodies and parsed commands of requests without a response."
              + " Without it, an eighth of the heap.")
  Optional<Long> maxHeldBytes();

  @Option(
      names = "--max-held-per-tenant",
      converter = SizeConverter.class,
      description =
          "Maximum such bytes of one tenant. Applies with API keys only; without it, half of"
              + " --max-held.")
  Optional<Long> maxHeldBytesPerTenant();

  @Option(
      names = "--replay-cache",
      defaultValue = "32MiB",
      converter = SizeConverter.class,
      description = "Size of the cache of completed responses, 0 for none.")
  long replayCacheBytes();

  @Option(
      names = "--instances",
      converter = InstancesConverter.class,
      description = "HTTP verticles, 1 to 1024. Without it, one per core.")
  Optional<Integer> instances();
}
