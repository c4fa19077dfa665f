package dev.latchkey.load;

import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * The load command run in-process, with little patience.
 *
 * @param exitCode what it would exit with
 * @param out what it printed
 * @param err what it printed to standard error
 */
record Loaded(int exitCode, String out, String err) {

  private static final Patience LITTLE = new Patience(5_000, 4_000, 6_000, 4, 1, 5, 60_000);
  private static final Patience FEW_ATTEMPTS =
      new Patience(5_000, 60_000, 60_000, 4, 1, 5, 120_000);
  private static final Patience NONE = new Patience(5_000, 60_000, 60_000, 60, 1, 5, 0);
  private static final Patience ENOUGH = new Patience(5_000, 60_000, 60_000, 60, 1, 5, 120_000);

  private static final Patience SHORT_LOOKS =
      new Patience(1_500, 60_000, 60_000, 60, 1, 5, 120_000);

  /** The options of ten operations sent four times each, and what else is wanted. */
  static String[] small(String url, String... more) {
    Stream<String> all = Stream.of("--keys", "10", "--retries", "4", "--json", "--url", url);
    return Stream.concat(all, Stream.of(more)).toArray(String[]::new);
  }

  /** Gives up soon on a node that says nothing, and on nothing else. */
  static Loaded withShortLooks(String... args) {
    return run(SHORT_LOOKS, args);
  }

  /** Gives up soon: for services that never answer. */
  static Loaded impatient(String... args) {
    return run(LITTLE, args);
  }

  /** Runs it so that each request is sent four times at most. */
  static Loaded withFewAttempts(String... args) {
    return run(FEW_ATTEMPTS, args);
  }

  static Loaded run(String... args) {
    return run(ENOUGH, args);
  }

  /** Gives the whole run up at the first trouble. */
  static Loaded givingUp(String... args) {
    return run(NONE, args);
  }

  /** With room for so few waiting operations of the open loop. */
  static Loaded withBacklog(int backlog, String... args) {
    return run(ENOUGH, backlog, args);
  }

  private static Loaded run(Patience patience, String... args) {
    return run(patience, Pace.BACKLOG, args);
  }

  private static Loaded run(Patience patience, int backlog, String... args) {
    return run(new LoadCommand(slowMillis -> patience, backlog), new StringWriter(), args);
  }

  /** Prints its result there instead. */
  static Loaded printingTo(Writer out, String... args) {
    return run(new LoadCommand(slowMillis -> ENOUGH, Pace.BACKLOG), out, args);
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

  /** What it printed to standard error but for how far it is, which it tells every second. */
  String complaints() {
    return err.lines()
        .filter(line -> !line.contains(" requests over"))
        .collect(Collectors.joining("\n"));
  }

  /** The last line of the output. */
  JsonObject json() {
    List<String> lines = out.lines().toList();
    return new JsonObject(lines.get(lines.size() - 1));
  }
}
