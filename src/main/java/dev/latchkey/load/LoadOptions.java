package dev.latchkey.load;

import dev.latchkey.net.BaseUrl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the load command is told, and which of it makes sense. */
final class LoadOptions {
  private static final int MOST_KEYS = 5_000_000;
  private static final int MOST_RETRIES = 1_000_000;
  private static final int MOST_CONCURRENT = 50_000;
  private static final int SLOWEST_MILLIS = 60_000;
  private static final int FEW_KEYS = 100;
  private static final double SLOWEST_RATE = 0.001;
  private static final double FASTEST_RATE = 1_000_000;
  private static final long LONGEST_MILLIS = TimeUnit.HOURS.toMillis(24);

  @Option(
      names = "--url",
      paramLabel = "URL[,URL...]",
      defaultValue = "http://127.0.0.1:8080",
      description = "Base URLs of the nodes, several with commas (default ${DEFAULT-VALUE}).")
  private List<String> urls = new ArrayList<>();

  @Option(
      names = "--keys",
      paramLabel = "K",
      description =
          "Operations, each with its own key (default 100; with --duration as many as fit, and"
              + " where both are given the run ends with whichever is reached first).")
  private @Nullable Integer keys;

  @Option(
      names = "--retries",
      paramLabel = "R",
      defaultValue = "5",
      description = "Requests of each operation, sent together (default ${DEFAULT-VALUE}).")
  private int retries;

  @Option(
      names = "--concurrency",
      paramLabel = "C",
      defaultValue = "32",
      description =
          "Most requests in flight; a key begins when there is room for all of its own"
              + " (default ${DEFAULT-VALUE}).")
  private int concurrency;

  @Option(
      names = "--slow-ms",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "How long the PSP takes over each charge, in milliseconds (default ${DEFAULT-VALUE}).")
  private int slowMillis;

  @Option(
      names = "--hang-up",
      paramLabel = "P",
      defaultValue = "0",
      description =
          "Share of callers, 0 to 1, that hang up before their answer and retry"
              + " (default ${DEFAULT-VALUE}).")
  private double hangUpShare;

  @Option(
      names = "--duration",
      paramLabel = "D",
      description = "How long operations begin, such as 30s; what is in flight then is finished.")
  private @Nullable String duration;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description =
          "Open loop: operations begin at N a second, whatever the service makes of it, and"
              + " latency counts from when each was meant to. One that finds no room waits; past "
              + Pace.BACKLOG
              + " that wait it is not started, and counted.")
  private @Nullable Double rate;

  @Option(
      names = "--api-key",
      paramLabel = "S",
      description = "The bearer secret to send; LATCHKEY_API_KEY keeps it out of process lists.")
  private @Nullable String apiKey;

  @Option(
      names = "--psp-url",
      paramLabel = "URL",
      description =
          "Base URL of the PSP, to audit its own books; nobody else may use it meanwhile.")
  private @Nullable String pspUrl;

  @Option(names = "--json", description = "Print the result as one JSON object on the last line.")
  private boolean json;

  @Option(
      names = "--report",
      paramLabel = "FILE.html",
      description = "Write a page with charts, which needs nothing beside itself.")
  private @Nullable Path report;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Flat YAML file with the same options by name, beaten by flags and environment.")
  @SuppressWarnings("UnusedVariable") // Read by the command line around this command.
  private @Nullable Path config;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  @SuppressWarnings("UnusedVariable") // Read by picocli.
  private boolean help;

  boolean json() {
    return json;
  }

  int slowMillis() {
    return slowMillis;
  }

  /**
   * Where the report goes.
   *
   * @throws IllegalArgumentException when it cannot be written there, with one line that says so
   */
  Optional<Path> report() {
    if (report == null) {
      return Optional.empty();
    }
    Path file = report.toAbsolutePath();
    Path directory = file.getParent();
    boolean possible =
        directory != null
            && (Files.exists(file)
                ? Files.isRegularFile(file) && Files.isWritable(file)
                : Files.isWritable(directory));
    if (!possible) {
      throw new IllegalArgumentException("--report: cannot write " + report);
    }
    return Optional.of(file);
  }

  /**
   * What is to be sent.
   *
   * @param backlog most operations of the open loop that wait for room
   * @throws IllegalArgumentException when a value or a mixture makes no sense, with one line that
   *     names it
   */
  LoadPlan plan(int backlog) {
    inRange("--retries", retries, 1, MOST_RETRIES);
    inRange("--concurrency", concurrency, 1, MOST_CONCURRENT);
    inRange("--slow-ms", slowMillis, 0, SLOWEST_MILLIS);
    if (!(hangUpShare >= 0 && hangUpShare <= 1)) {
      throw new IllegalArgumentException("--hang-up: " + hangUpShare + " is not within 0 to 1");
    }
    if (apiKey != null && !apiKey.matches("[!-~]+")) {
      throw new IllegalArgumentException("--api-key: only printable ASCII without spaces is sent");
    }
    Pace pace = pace(backlog);
    return new LoadPlan(
        HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong()),
        nodes(),
        mostKeys(pace),
        retries,
        concurrency,
        pace,
        slowMillis,
        hangUpShare,
        Optional.ofNullable(apiKey),
        Optional.ofNullable(pspUrl).map(url -> endpoint("--psp-url", url)));
  }

  private List<BaseUrl> nodes() {
    return urls.stream()
        .flatMap(list -> Arrays.stream(list.split(",", -1)).map(url -> node(list, url)))
        .toList();
  }

  private static BaseUrl node(String list, String url) {
    if (url.isBlank()) {
      throw new IllegalArgumentException("--url: an empty URL in '" + list + "'");
    }
    return endpoint("--url", url);
  }

  private Pace pace(int backlog) {
    if (rate != null && !(rate >= SLOWEST_RATE && rate <= FASTEST_RATE)) {
      throw new IllegalArgumentException("--rate: " + rate + " is not within 0.001 to 1000000");
    }
    return new Pace(
        rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate),
        duration == null ? OptionalLong.empty() : OptionalLong.of(durationMillis(duration)),
        backlog);
  }

  private static long durationMillis(String text) {
    long millis;
    try {
      millis = DurationText.millis(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--duration: " + e.getMessage(), e);
    }
    if (millis < 1 || millis > LONGEST_MILLIS) {
      throw new IllegalArgumentException("--duration: " + text + " is not within 1ms to 24h");
    }
    return millis;
  }

  /** So many that memory lasts, and in the open loop so few that they are due within a day. */
  private int mostKeys(Pace pace) {
    if (keys != null) {
      inRange("--keys", keys, 1, MOST_KEYS);
      boolean days = pace.open() && keys / pace.perSecond().getAsDouble() * 1_000 > LONGEST_MILLIS;
      if (days && pace.durationMillis().isEmpty()) {
        throw new IllegalArgumentException(
            "--rate: " + rate + " a second takes more than 24h for --keys " + keys);
      }
      return keys;
    }
    if (pace.durationMillis().isEmpty()) {
      return FEW_KEYS;
    }
    double due = pace.perSecond().orElse(0) * pace.durationMillis().getAsLong() / 1_000;
    if (due > MOST_KEYS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--rate: %s a second for --duration %s are more than the %d keys of a run;"
                  + " --keys would end it sooner",
              rate,
              duration,
              MOST_KEYS));
    }
    return MOST_KEYS;
  }

  private static void inRange(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          option + ": " + value + " is not within " + least + " to " + most);
    }
  }

  private static BaseUrl endpoint(String option, String url) {
    try {
      return BaseUrl.parse(url);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
    }
  }
}
