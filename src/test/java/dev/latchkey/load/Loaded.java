package dev.latchkey.load;

import dev.latchkey.net.BackOff;
import dev.latchkey.net.BaseUrl;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * A run of the load command in this process, with short limits.
 *
 * @param exitCode its exit code
 * @param out its standard output
 * @param err its standard error
 */
record Loaded(int exitCode, String out, String err) {

  private static final BackOff FAST = new BackOff(1, 5);
  private static final RetryPolicy SHORT_ATTEMPTS =
      new RetryPolicy(5_000, 4_000, 6_000, 4, FAST, 60_000);
  private static final RetryPolicy FEW_ATTEMPTS =
      new RetryPolicy(5_000, 60_000, 60_000, 4, FAST, 120_000);
  private static final RetryPolicy NO_STALL = new RetryPolicy(5_000, 60_000, 60_000, 60, FAST, 0);
  private static final RetryPolicy DEFAULT =
      new RetryPolicy(5_000, 60_000, 60_000, 60, FAST, 120_000);

  private static final RetryPolicy SHORT_READS =
      new RetryPolicy(1_500, 60_000, 60_000, 60, FAST, 120_000);

  /** Options for ten operations with four requests each, and further options. */
  static String[] small(String url, String... more) {
    Stream<String> all = Stream.of("--keys", "10", "--retries", "4", "--json", "--url", url);
    return Stream.concat(all, Stream.of(more)).toArray(String[]::new);
  }

  /** A plan of a run without a PSP. */
  static LoadPlan plan(String url, int keys, int retries, int concurrency, OptionalDouble rate) {
    return new LoadPlan(
        "run",
        List.of(BaseUrl.parse(url)),
        keys,
        retries,
        concurrency,
        new Arrivals.Settings(rate, OptionalLong.empty(), Arrivals.BACKLOG),
        0,
        0,
        Optional.empty(),
        Optional.empty());
  }

  /** With a short limit for reads. */
  static Loaded withShortReads(String... args) {
    return run(SHORT_READS, args);
  }

  /** With short limits, for services that never respond. */
  static Loaded withShortAttempts(String... args) {
    return run(SHORT_ATTEMPTS, args);
  }

  /** With at most four sends per request. */
  static Loaded withFewAttempts(String... args) {
    return run(FEW_ATTEMPTS, args);
  }

  static Loaded run(String... args) {
    return run(DEFAULT, args);
  }

  /** Abandons the run at the first failure. */
  static Loaded givingUp(String... args) {
    return run(NO_STALL, args);
  }

  /** With another backlog of the open loop. */
  static Loaded withBacklog(int backlog, String... args) {
    return run(DEFAULT, backlog, args);
  }

  private static Loaded run(RetryPolicy policy, String... args) {
    return run(policy, Arrivals.BACKLOG, args);
  }

  private static Loaded run(RetryPolicy policy, int backlog, String... args) {
    return run(new LoadCommand(slowMillis -> policy, backlog), new StringWriter(), args);
  }

  /** Writes its result to a writer. */
  static Loaded printingTo(Writer out, String... args) {
    return run(new LoadCommand(slowMillis -> DEFAULT, Arrivals.BACKLOG), out, args);
  }

  private static Loaded run(LoadCommand command, Writer out, String... args) {
    StringWriter err = new StringWriter();
    int exitCode =
        new CommandLine(command)
            .setOverwrittenOptionsAllowed(true)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(args);
    return new Loaded(exitCode, out.toString(), err.toString());
  }

  /** Returns standard error without progress lines. */
  String errors() {
    return err.lines()
        .filter(line -> !line.contains(" requests finished"))
        .collect(Collectors.joining("\n"));
  }

  /** Returns the JSON on the last line of the output. */
  JsonObject json() {
    List<String> lines = out.lines().toList();
    return new JsonObject(lines.get(lines.size() - 1));
  }
}
