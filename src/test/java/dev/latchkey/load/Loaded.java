package dev.latchkey.load;

import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/**
 * The load command run in-process, with little patience.
 *
 * @param exitCode what it would exit with
 * @param out what it printed
 * @param err what it printed to standard error
 */
record Loaded(int exitCode, String out, String err) {

  private static final Patience LITTLE = new Patience(2_000, 400, 1_500, 4, 1, 5, 5_000);
  private static final Patience NONE = new Patience(5_000, 60_000, 60_000, 60, 1, 5, 0);
  private static final Patience ENOUGH = new Patience(5_000, 60_000, 60_000, 60, 1, 5, 120_000);

  /** Gives up soon: for services that never answer. */
  static Loaded impatient(String... args) {
    return run(LITTLE, args);
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
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        new CommandLine(new LoadCommand(slowMillis -> patience, backlog))
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(args);
    return new Loaded(exitCode, out.toString(), err.toString());
  }

  /** The last line of the output. */
  JsonObject json() {
    List<String> lines = out.lines().toList();
    return new JsonObject(lines.get(lines.size() - 1));
  }
}
