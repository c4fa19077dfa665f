package dev.latchkey.load;

import io.vertx.core.Vertx;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code load}: sends operations many times over to running nodes, then audits that each had one
 * effect. Exits with 0 when so, 1 when not, 2 when it could not run.
 */
@Command(
    name = "load",
    description = {
      "Sends each operation many times over to a running service, then audits that it had exactly"
          + " one effect.",
      "Exit code: 0 exactly once, 1 violated, 2 could not run."
    },
    sortOptions = false,
    showDefaultValues = true)
public final class LoadCommand implements Callable<Integer> {
  private static final int EXACTLY_ONCE = 0;
  private static final int VIOLATED = 1;
  private static final int COULD_NOT_RUN = 2;
  private static final int MOST_KEYS = 5_000_000;
  private static final int MOST_RETRIES = 1_000_000;
  private static final int MOST_CONCURRENT = 50_000;
  private static final int SLOWEST_MILLIS = 60_000;

  @Option(
      names = "--url",
      split = ",",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8080",
      description = "Base URLs of the nodes, several with commas.")
  private List<String> urls = new ArrayList<>();

  @Option(names = "--keys", paramLabel = "K", description = "Operations, each with its own key.")
  private int keys = 100;

  @Option(
      names = "--retries",
      paramLabel = "R",
      description = "Requests of each operation, sent together.")
  private int retries = 5;

  @Option(
      names = "--concurrency",
      paramLabel = "C",
      description = "Most requests in flight; a key begins when there is room for all of its own.")
  private int concurrency = 32;

  @Option(
      names = "--slow-ms",
      paramLabel = "N",
      description = "How long the PSP takes over each charge, in milliseconds.")
  private int slowMillis = 0;

  @Option(
      names = "--hang-up",
      paramLabel = "P",
      description = "Share of callers, 0 to 1, that hang up before their answer and retry.")
  private double hangUpShare = 0;

  @Option(names = "--api-key", paramLabel = "S", description = "The bearer secret to send.")
  private @Nullable String apiKey;

  @Option(
      names = "--psp-url",
      paramLabel = "URL",
      description = "Base URL of the PSP, to audit its own books as well.")
  private @Nullable String pspUrl;

  @Option(names = "--json", description = "Print the result as one JSON object on the last line.")
  private boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  @SuppressWarnings("UnusedVariable") // Read by picocli.
  private boolean help;

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandLine.Model.CommandSpec spec;

  private final IntFunction<Patience> patience;

  /** With the patience that fits the service as it comes. */
  public LoadCommand() {
    this(Patience::ofRun);
  }

  /**
   * With another patience.
   *
   * @param patience from the milliseconds that the PSP takes
   */
  LoadCommand(IntFunction<Patience> patience) {
    this.patience = patience;
  }

  /**
   * Runs the load and prints what it showed: progress to the command line's error writer, the
   * summary to its output writer. Blocks until done.
   *
   * @return the exit code
   */
  @Override
  public Integer call() throws InterruptedException {
    CommandLine line = spec.commandLine();
    LoadPlan plan;
    try {
      plan = plan();
    } catch (IllegalArgumentException e) {
      return couldNotRun(line.getErr(), e.getMessage());
    }
    Vertx vertx = Vertx.vertx();
    try {
      LoadRun run = new LoadRun(vertx, plan, patience.apply(slowMillis));
      return print(await(run, plan, line.getErr()), line);
    } catch (ExecutionException e) {
      return couldNotRun(line.getErr(), "broken: " + e.getCause());
    } finally {
      vertx.close().await();
    }
  }

  private LoadPlan plan() {
    inRange("--keys", keys, 1, MOST_KEYS);
    inRange("--retries", retries, 1, MOST_RETRIES);
    inRange("--concurrency", concurrency, 1, MOST_CONCURRENT);
    inRange("--slow-ms", slowMillis, 0, SLOWEST_MILLIS);
    if (!(hangUpShare >= 0 && hangUpShare <= 1)) {
      throw new IllegalArgumentException("--hang-up: " + hangUpShare + " is not within 0 to 1");
    }
    if (apiKey != null && !apiKey.matches("[!-~]+")) {
      throw new IllegalArgumentException("--api-key: only printable ASCII without spaces is sent");
    }
    List<Endpoint> nodes = urls.stream().map(url -> endpoint("--url", url)).toList();
    String runId = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    return new LoadPlan(
        runId,
        nodes,
        keys,
        retries,
        concurrency,
        slowMillis,
        hangUpShare,
        Optional.ofNullable(apiKey),
        Optional.ofNullable(pspUrl).map(url -> endpoint("--psp-url", url)));
  }

  private static void inRange(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          option + ": " + value + " is not within " + least + " to " + most);
    }
  }

  private static Endpoint endpoint(String option, String url) {
    try {
      return Endpoint.parse(url);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
    }
  }

  private static LoadRun.Result await(LoadRun run, LoadPlan plan, PrintWriter err)
      throws InterruptedException, ExecutionException {
    Progress progress = new Progress(err, Progress.onTerminal(), plan.requests());
    CompletableFuture<LoadRun.Result> result =
        run.start().toCompletionStage().toCompletableFuture();
    while (true) {
      try {
        LoadRun.Result ended = result.get(Duration.ofSeconds(1).toMillis(), TimeUnit.MILLISECONDS);
        progress.end();
        return ended;
      } catch (TimeoutException stillRunning) {
        progress.show(run.recorder());
      }
    }
  }

  private int print(LoadRun.Result result, CommandLine line) {
    if (result instanceof LoadRun.Result.CouldNotRun failure) {
      return couldNotRun(line.getErr(), failure.why());
    }
    LoadReport report = ((LoadRun.Result.Finished) result).report();
    PrintWriter out = line.getOut();
    report.lines().forEach(out::println);
    if (json) {
      out.println(report.json().encode());
    }
    out.flush();
    return report.exactlyOnce() ? EXACTLY_ONCE : VIOLATED;
  }

  private static int couldNotRun(PrintWriter err, @Nullable String why) {
    err.println("load: " + why);
    err.flush();
    return COULD_NOT_RUN;
  }
}
