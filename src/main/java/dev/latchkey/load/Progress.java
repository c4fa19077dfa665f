package dev.latchkey.load;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/** The line that says how far a run is: rewritten on a terminal, else one line each time. */
final class Progress {
  private static final String REWRITE = "\r\u001b[K";
  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  private final PrintWriter err;
  private final boolean terminal;
  private final OptionalLong total;
  private long lastEnded;
  private long lastNanos = System.nanoTime();
  private boolean open;

  /**
   * Prints there.
   *
   * @param err standard error
   * @param terminal whether the line is rewritten
   * @param total requests, where that is known beforehand
   */
  Progress(PrintWriter err, boolean terminal, OptionalLong total) {
    this.err = err;
    this.terminal = terminal;
    this.total = total;
  }

  /** Whether standard error is a terminal; false where the system does not tell. */
  static boolean onTerminal() {
    try {
      String target = STANDARD_ERROR.toRealPath().toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException e) {
      // A pipe, or a system that has no such name: then no line is rewritten.
      return false;
    }
  }

  /** Prints the counts of this moment. */
  void show(LoadRecorder recorder) {
    long ended = recorder.ended();
    long now = System.nanoTime();
    double seconds = Math.max(1, now - lastNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    String line =
        String.format(
            Locale.ROOT,
            "%s%,d%s requests over, %,.0f per second, %,d conflicts and errors",
            recorder.sendingOver() ? "auditing; " : "",
            ended,
            total.isPresent() ? String.format(Locale.ROOT, " of %,d", total.getAsLong()) : "",
            (ended - lastEnded) / seconds,
            recorder.troubles());
    lastEnded = ended;
    lastNanos = now;
    open = terminal;
    err.print(terminal ? REWRITE + line : line + System.lineSeparator());
    err.flush();
  }

  /** Leaves the terminal's line clean. */
  void end() {
    if (open) {
      err.print(REWRITE);
      err.flush();
    }
  }
}
