package dev.latchkey.load;

import dev.latchkey.load.LoadRecorder.Count;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** The progress of a run: one line, rewritten on a terminal. */
final class ProgressLine {
  private static final String REWRITE = "\r\u001b[K";
  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  private final PrintWriter err;
  private final boolean terminal;
  private final OptionalLong total;
  private long lastFinished;
  private long lastNanos = System.nanoTime();
  private boolean open;

  /** Creates the line, for a total that may be unknown. */
  ProgressLine(PrintWriter err, boolean terminal, OptionalLong total) {
    this.err = err;
    this.terminal = terminal;
    this.total = total;
  }

  /** Returns whether standard error is a terminal; false if unknown. */
  static boolean onTerminal() {
    try {
      String target = STANDARD_ERROR.toRealPath().toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      // A pipe, or a system without this path.
      return false;
    }
  }

  /** Prints the current counts. */
  void show(LoadRecorder recorder) {
    long finished = recorder.count(Count.FINISHED);
    long now = System.nanoTime();
    double seconds = Math.max(1, now - lastNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    String line =
        String.format(
            Locale.ROOT,
            "%s%,d%s requests finished, %,.0f per second, %,d conflicts and errors",
            recorder.sendingOver() ? "auditing; " : "",
            finished,
            total.isPresent() ? String.format(Locale.ROOT, " of %,d", total.getAsLong()) : "",
            (finished - lastFinished) / seconds,
            recorder.count(Count.CONFLICTS) + recorder.count(Count.ERRORS));
    lastFinished = finished;
    lastNanos = now;
    open = terminal;
    err.print(terminal ? REWRITE + line : line + System.lineSeparator());
    err.flush();
  }

  /** Clears the terminal's line. */
  void end() {
    if (open) {
      err.print(REWRITE);
      err.flush();
    }
  }
}
