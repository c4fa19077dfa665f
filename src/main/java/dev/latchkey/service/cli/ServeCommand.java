package dev.latchkey.service.cli;

import dev.latchkey.service.cli.ValueConverters.BufferSizeConverter;
import dev.latchkey.service.cli.ValueConverters.CountConverter;
import dev.latchkey.service.cli.ValueConverters.DurationConverter;
import dev.latchkey.service.cli.ValueConverters.HttpUrlConverter;
import dev.latchkey.service.cli.ValueConverters.PortConverter;
import dev.latchkey.service.cli.ValueConverters.SizeConverter;
import dev.latchkey.service.cli.ValueConverters.TextConverter;
import dev.latchkey.service.http.ApiKeys;
import dev.latchkey.service.http.Hosts;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code serve}; the run itself is given from outside. */
@Command(
    name = "serve",
    description = "Serves the payments API. This is what happens without a command, too.")
@SuppressWarnings("NullAway.Init") // picocli fills the fields before anything reads them
sealed class ServeCommand implements Callable<Integer> permits MigrateCommand {

  private static final int MAX_INSTANCES = 1_024;

  private final ToIntFunction<ServeConfig> run;

  @Spec private CommandSpec spec;

  @Option(
      names = "--host",
      defaultValue = "127.0.0.1",
      converter = TextConverter.class,
      description = "Address to listen on (LATCHKEY_HTTP_HOST, default ${DEFAULT-VALUE}).")
  private String host;

  @Option(
      names = "--port",
      defaultValue = "8080",
      converter = PortConverter.class,
      description =
          "Port to listen on, 0 for any free one (LATCHKEY_HTTP_PORT, default ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--psp-url",
      converter = HttpUrlConverter.class,
      description = "The PSP (LATCHKEY_PSP_URL, default: a simulator inside this process).")
  private @Nullable URI pspUrl;

  @Option(
      names = "--psp-timeout",
      defaultValue = "65s",
      converter = DurationConverter.class,
      description =
          "For the PSP's answer, retries included"
              + " (LATCHKEY_PSP_TIMEOUT, default ${DEFAULT-VALUE}).")
  private Duration pspTimeout;

  @Option(
      names = "--psp-secret",
      converter = TextConverter.class,
      description =
          "Will sign and check the PSP's events; has no effect yet"
              + " (LATCHKEY_PSP_SECRET, default: none).")
  private @Nullable String pspSecret;

  @Option(
      names = "--api-keys",
      converter = TextConverter.class,
      paramLabel = "<list>",
      description =
          "Who may call: tenant:secret,tenant:secret, or @file with the same list by commas or"
              + " lines (LATCHKEY_API_KEYS, default: none, everybody on loopback).")
  private @Nullable String apiKeys;

  @Option(
      names = "--lease",
      defaultValue = "10s",
      converter = DurationConverter.class,
      description =
          "How long a claim lives without a renewal (LATCHKEY_LEASE, default ${DEFAULT-VALUE}).")
  private Duration lease;

  @Option(
      names = "--run-limit",
      defaultValue = "5m",
      converter = DurationConverter.class,
      description =
          "How long one attempt is renewed (LATCHKEY_RUN_LIMIT, default ${DEFAULT-VALUE}).")
  private Duration runLimit;

  @Option(
      names = "--wait",
      defaultValue = "30s",
      converter = DurationConverter.class,
      description =
          "How long a duplicate waits when it does not say"
              + " (LATCHKEY_WAIT, default ${DEFAULT-VALUE}).")
  private Duration wait;

  @Option(
      names = "--wait-max",
      defaultValue = "60s",
      converter = DurationConverter.class,
      description =
          "Longest wait that a request may ask for"
              + " (LATCHKEY_WAIT_MAX, default ${DEFAULT-VALUE}).")
  private Duration waitMax;

  @Option(
      names = "--retention",
      defaultValue = "24h",
      converter = DurationConverter.class,
      description =
          "How long a key is kept from its first use, not shorter than the lease"
              + " (LATCHKEY_RETENTION, default ${DEFAULT-VALUE}).")
  private Duration retention;

  @Option(
      names = "--max-body",
      defaultValue = "1MiB",
      converter = BufferSizeConverter.class,
      description = "Largest request body (LATCHKEY_MAX_BODY, default ${DEFAULT-VALUE}).")
  private int maxBodyBytes;

  @Option(
      names = "--max-response",
      defaultValue = "1MiB",
      converter = BufferSizeConverter.class,
      description = "Largest stored response (LATCHKEY_MAX_RESPONSE, default ${DEFAULT-VALUE}).")
  private int maxResponseBytes;

  @Option(
      names = "--max-parked",
      defaultValue = "20000",
      converter = CountConverter.class,
      description = "Parked requests of this node (LATCHKEY_MAX_PARKED, default ${DEFAULT-VALUE}).")
  private int maxParked;

  @Option(
      names = "--max-parked-per-tenant",
      defaultValue = "15000",
      converter = CountConverter.class,
      description =
          "Parked requests of one tenant"
              + " (LATCHKEY_MAX_PARKED_PER_TENANT, default ${DEFAULT-VALUE}).")
  private int maxParkedPerTenant;

  @Option(
      names = "--max-parked-per-key",
      defaultValue = "10000",
      converter = CountConverter.class,
      description =
          "Parked requests with one key"
              + " (LATCHKEY_MAX_PARKED_PER_KEY, default ${DEFAULT-VALUE}).")
  private int maxParkedPerKey;

  @Option(
      names = "--max-running",
      defaultValue = "10000",
      converter = CountConverter.class,
      description =
          "Attempts at a time on this node (LATCHKEY_MAX_RUNNING, default ${DEFAULT-VALUE}).")
  private int maxRunning;

  @Option(
      names = "--replay-cache",
      defaultValue = "32MiB",
      converter = SizeConverter.class,
      description =
          "Completed responses kept on this node, 0 for none"
              + " (LATCHKEY_REPLAY_CACHE, default ${DEFAULT-VALUE}).")
  private long replayCacheBytes;

  @Option(
      names = "--instances",
      converter = CountConverter.class,
      description = "HTTP verticles, 1 to 1024 (LATCHKEY_INSTANCES, default: the number of cores).")
  private @Nullable Integer instances;

  @Option(
      names = "--insecure-no-auth",
      description =
          "Take calls from other hosts without api keys"
              + " (LATCHKEY_INSECURE_NO_AUTH=true, default: false).")
  private boolean insecureNoAuth;

  @Mixin final StoreOptions stores = new StoreOptions();

  @Mixin
  @SuppressWarnings("UnusedVariable") // picocli reads it, by reflection
  private final CommonOptions common = new CommonOptions();

  ServeCommand(ToIntFunction<ServeConfig> run) {
    this.run = run;
  }

  /** Runs the command; an option that makes no sense ends it with {@link ParameterException}. */
  @Override
  public Integer call() {
    return run.applyAsInt(toConfig());
  }

  /** Whether the command opens its host to others, who then have to be told apart. */
  boolean listens() {
    return true;
  }

  private ServeConfig toConfig() {
    StoreConfig storeConfig = stores.toConfig();
    if (retention.compareTo(lease) < 0) {
      throw BadOption.of(
          spec,
          "--retention",
          retention.toMillis() + "ms is shorter than the lease of " + lease.toMillis() + "ms");
    }
    if (instances != null && instances > MAX_INSTANCES) {
      throw BadOption.of(
          spec, "--instances", "'" + instances + "' is more than " + MAX_INSTANCES + " verticles");
    }
    Optional<ApiKeys> keys = Optional.ofNullable(apiKeys).map(this::parseKeys);
    if (listens() && keys.isEmpty() && !insecureNoAuth && !Hosts.isLoopback(host)) {
      throw BadOption.of(
          spec,
          "--host",
          "'"
              + host
              + "' can be reached by others: set --api-keys, or --insecure-no-auth to let"
              + " everybody in");
    }
    return new ServeConfig(
        host,
        port,
        storeConfig,
        Optional.ofNullable(pspUrl),
        pspTimeout,
        Optional.ofNullable(pspSecret),
        keys,
        lease,
        runLimit,
        wait,
        waitMax,
        retention,
        maxBodyBytes,
        maxResponseBytes,
        maxParked,
        maxParkedPerTenant,
        maxParkedPerKey,
        maxRunning,
        replayCacheBytes,
        Optional.ofNullable(instances).orElseGet(Runtime.getRuntime()::availableProcessors));
  }

  private ApiKeys parseKeys(String list) {
    try {
      return ApiKeys.parse(list);
    } catch (IllegalArgumentException e) {
      throw BadOption.of(spec, "--api-keys", String.valueOf(e.getMessage()));
    }
  }
}
