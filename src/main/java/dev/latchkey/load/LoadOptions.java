package dev.latchkey.load;

import dev.latchkey.net.BaseUrl;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the load command and their validation. */
final class LoadOptions {
  private static final int MAX_KEYS = 5_000_000;
  private static final int DEFAULT_KEYS = 100;
  private static final long MAX_DURATION_MILLIS = TimeUnit.HOURS.toMillis(24);

  @Option(
      names = "--url",
      paramLabel = "URL[,URL...]",
      defaultValue = "http://127.0.0.1:8080",
      description = "Base URLs of the nodes, separated by commas (default ${DEFAULT-VALUE}).")
  private List<String> urls = new ArrayList<>();

  @Option(
      names = "--keys",
      paramLabel = "K",
      description =
          "Operations, each with its own key (default 100; with --duration unlimited). With both"
              + " options the run ends when the first limit is reached.")
  private @Nullable Integer keys;

  @Option(
      names = "--retries",
      paramLabel = "R",
      defaultValue = "5",
      description = "Requests per operation, sent together (default ${DEFAULT-VALUE}).")
  private int retries;

  @Option(
      names = "--concurrency",
      paramLabel = "C",
      defaultValue = "32",
      description =
          "Maximum requests in flight; a key starts when there is room for all its requests"
              + " (default ${DEFAULT-VALUE}).")
  private int concurrency;

  @Option(
      names = "--slow-ms",
      paramLabel = "N",
      defaultValue = "0",
      description = "Milliseconds of each charge at the PSP (default ${DEFAULT-VALUE}).")
  private int slowMillis;

  @Option(
      names = "--hang-up",
      paramLabel = "P",
      defaultValue = "0",
      description =
          "Share of callers, 0 to 1, that disconnect before their response and retry"
              + " (default ${DEFAULT-VALUE}).")
  private double hangUpShare;

  @Option(
      names = "--duration",
      paramLabel = "D",
      description =
          "Period in which operations start, such as 30s; started operations are finished.")
  private @Nullable String duration;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "Open loop: N operations per second are due, however fast the service is, and latency"
              + " counts from the due time. An operation without room waits; if "
              + Arrivals.BACKLOG
              + " wait already, it is not started, but counted.")
  private @Nullable Double rate;

  @Option(
      names = "--api-key",
      paramLabel = "S",
      description = "Bearer secret; LATCHKEY_API_KEY keeps it out of process lists.")
  private @Nullable String apiKey;

  @Option(
      names = "--psp-url",
      paramLabel = "URL",
      description = "Base URL of the PSP, to audit its own records; it must have no other users.")
  private @Nullable String pspUrl;

  @Option(names = "--json", description = "Print the result as one JSON object on the last line.")
  boolean json;

  @Option(
      names = "--report",
      paramLabel = "FILE.html",
      description = "Write a self-contained page with charts.")
  @Nullable Path report;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Flat YAML file with the same options; flags and environment override it.")
  @SuppressWarnings("UnusedVariable") // read by the command line
  private @Nullable Path config;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  @SuppressWarnings("UnusedVariable") // read by picocli
  private boolean help;

  /**
   * Returns the run.
   *
   * @param backlog most operations of the open loop that may wait for room
   * @throws IllegalArgumentException if a value or a combination is invalid; the message is one
   *     line that names it
   */
  LoadPlan plan(int backlog) {
    inRange("--retries", retries, 1, 1_000_000);
    inRange("--concurrency", concurrency, 1, 50_000);
    inRange("--slow-ms", slowMillis, 0, 60_000);
    inRange("--hang-up", hangUpShare, 0, 1);
    if (apiKey != null && !apiKey.matches("[!-~]+")) {
      throw new IllegalArgumentException("--api-key: not printable ASCII without spaces");
    }
    OptionalLong millis = duration == null ? OptionalLong.empty() : durationMillis(duration);
    return new LoadPlan(
        HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()),
        urls.stream().flatMap(LoadOptions::nodes).toList(),
        maxKeys(millis),
        retries,
        concurrency,
        new Arrivals.Settings(
            rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate),
            millis.stream().map(TimeUnit.MILLISECONDS::toNanos).findAny(),
            backlog),
        slowMillis,
        hangUpShare,
        Optional.ofNullable(apiKey),
        Optional.ofNullable(pspUrl).map(url -> named("--psp-url", () -> BaseUrl.parse(url))));
  }

  private static Stream<BaseUrl> nodes(String list) {
    return Arrays.stream(list.split(",", -1))
        .map(
            url -> {
              if (url.isBlank()) {
                throw new IllegalArgumentException("--url: an empty URL in '" + list + "'");
              }
              return named("--url", () -> BaseUrl.parse(url));
            });
  }

  private static OptionalLong durationMillis(String text) {
    long millis = named("--duration", () -> DurationParser.millis(text));
    if (millis < 1 || millis > MAX_DURATION_MILLIS) {
      throw new IllegalArgumentException("--duration: " + text + " is not within 1ms to 24h");
    }
    return OptionalLong.of(millis);
  }

  /** Limits the memory, and in the open loop the run to a day. */
  private int maxKeys(OptionalLong millis) {
    if (rate != null) {
      inRange("--rate", rate, 0.001, 1_000_000);
    }
    if (keys == null && millis.isEmpty()) {
      return DEFAULT_KEYS;
    }
    if (keys == null) {
      if (rate != null && rate * millis.getAsLong() / 1_000 > MAX_KEYS) {
        throw new IllegalArgumentException(
            "--rate: %s per second for --duration %s exceeds the limit of %d keys; set --keys"
                .formatted(rate, duration, MAX_KEYS));
      }
      return MAX_KEYS;
    }
    inRange("--keys", keys, 1, MAX_KEYS);
    if (rate != null && millis.isEmpty() && keys / rate * 1_000 > MAX_DURATION_MILLIS) {
      throw new IllegalArgumentException(
          "--rate: " + rate + " per second takes more than 24h for --keys " + keys);
    }
    return keys;
  }

  private static void inRange(String option, Number value, Number least, Number most) {
    double number = value.doubleValue();
    if (!(number >= least.doubleValue() && number <= most.doubleValue())) {
      throw new IllegalArgumentException(
          option + ": " + value + " is not within " + least + " to " + most);
    }
  }

  /** Adds the option to the message of an invalid value. */
  private static <T> T named(String option, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
    }
  }
}
