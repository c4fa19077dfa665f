package dev.latchkey.load;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Spec;

/**
 * The command {@code load}: sends operations several times each to running nodes, then audits that
 * each had one effect. Exit code 0 if so, 1 if not, 2 if it could not run.
 */
@Command(
    name = "load",
    description = {
      "Sends each operation several times to a running service, then audits that it had exactly"
          + " one effect.",
      "SIGINT or SIGTERM stops new requests; those in flight are finished and audited. A second"
          + " signal ends the process at once.",
      "Exit code: 0 exactly once, 1 violated, 2 could not run."
    },
    sortOptions = false)
public final class LoadCommand implements Callable<Integer> {
  private static final int EXACTLY_ONCE = 0;
  private static final int VIOLATED = 1;
  private static final int COULD_NOT_RUN = 2;

  @Mixin private final LoadOptions options = new LoadOptions();

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandLine.Model.CommandSpec spec;

  private final IntFunction<RetryPolicy> policy;
  private final int backlog;

  /** Creates the command with the limits for a service with default limits. */
  public LoadCommand() {
    this(RetryPolicy::forService, ArrivalSettings.BACKLOG);
  }

  /**
   * Creates the command with other limits.
   *
   * @param policy by the milliseconds of a charge at the PSP
   * @param backlog most operations of the open loop that may wait for room
   */
  LoadCommand(IntFunction<RetryPolicy> policy, int backlog) {
    this.policy = policy;
    this.backlog = backlog;
  }

  /**
   * Runs the load. Progress goes to the command line's error writer, the result to its output
   * writer. Blocks until done.
   *
   * @return the exit code
   */
  @Override
  public Integer call() throws InterruptedException {
    CommandLine line = spec.commandLine();
    LoadPlan plan;
    Optional<Path> page;
    try {
      plan = options.plan(backlog);
      page = options.report();
      page.ifPresent(LoadCommand::checkWritable);
    } catch (IllegalArgumentException e) {
      return couldNotRun(line.getErr(), e.getMessage());
    }
    Vertx vertx = Vertx.vertx();
    try {
      LoadRun run = new LoadRun(vertx, plan, policy.apply(options.slowMillis()));
      LoadRun.Result result = await(run, plan, line.getErr());
      if (result instanceof LoadRun.Result.CouldNotRun failure) {
        return couldNotRun(line.getErr(), failure.reason());
      }
      return print(((LoadRun.Result.Finished) result).report(), page, line);
    } catch (ExecutionException e) {
      return couldNotRun(line.getErr(), "internal error: " + e.getCause());
    } finally {
      vertx.close().await();
    }
  }

  private static void checkWritable(Path page) {
    Path file = page.toAbsolutePath();
    boolean writable =
        Files.exists(file)
            ? Files.isRegularFile(file) && Files.isWritable(file)
            : file.getParent() != null && Files.isWritable(file.getParent());
    if (!writable) {
      throw new IllegalArgumentException("--report: cannot write " + page);
    }
  }

  private static LoadRun.Result await(LoadRun run, LoadPlan plan, PrintWriter err)
      throws InterruptedException, ExecutionException {
    StopSignals signals = new StopSignals(() -> stop(run, err));
    try {
      return awaitEnd(run, plan, err);
    } finally {
      signals.close();
    }
  }

  private static void stop(LoadRun run, PrintWriter err) {
    run.stop();
    err.println(
        "load: stopping; requests in flight are finished and audited; repeat to end at once");
    err.flush();
  }

  private static LoadRun.Result awaitEnd(LoadRun run, LoadPlan plan, PrintWriter err)
      throws InterruptedException, ExecutionException {
    ProgressLine progress = new ProgressLine(err, ProgressLine.onTerminal(), plan.requests());
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

  @SuppressWarnings("SystemOut") // the output writer may wrap it and hide its errors
  private int print(LoadReport report, Optional<Path> page, CommandLine line) {
    boolean written = page.isEmpty() || write(report, page.get(), line.getErr());
    PrintWriter out = line.getOut();
    report.lines().forEach(out::println);
    if (options.json()) {
      out.println(report.json().encode());
    }
    boolean printed = !out.checkError() && !System.out.checkError();
    if (!printed) {
      couldNotRun(line.getErr(), "the result could not be written to standard output");
    }
    if (!report.exactlyOnce()) {
      return VIOLATED;
    }
    return written && printed ? EXACTLY_ONCE : COULD_NOT_RUN;
  }

  private static boolean write(LoadReport report, Path page, PrintWriter err) {
    try {
      Files.writeString(page, HtmlReport.of(report));
      return true;
    } catch (IOException e) {
      couldNotRun(err, "--report: cannot write " + page + ": " + e.getMessage());
      return false;
    }
  }

  private static int couldNotRun(PrintWriter err, @Nullable String reason) {
    err.println("load: " + reason);
    err.flush();
    return COULD_NOT_RUN;
  }
}
