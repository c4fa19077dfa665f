package dev.latchkey.load;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
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
      "SIGINT or SIGTERM stops new requests; those in flight are finished and audited.",
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
    this(RetryPolicy::forService, Arrivals.BACKLOG);
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
    LoadPlan plan;
    try {
      plan = options.plan(backlog);
      checkWritable(options.report);
    } catch (IllegalArgumentException e) {
      return couldNotRun(e.getMessage());
    }
    Vertx vertx = Vertx.vertx();
    LoadRun run = new LoadRun(vertx, plan, policy.apply(plan.slowMillis()));
    CompletableFuture<Integer> exitCode = new CompletableFuture<>();
    Thread onSignal = new Thread(() -> stop(run, exitCode), "load-stop");
    Runtime.getRuntime().addShutdownHook(onSignal);
    try {
      exitCode.complete(run(run, plan));
    } finally {
      exitCode.complete(COULD_NOT_RUN);
      vertx.close().await();
      remove(onSignal);
    }
    return exitCode.join();
  }

  /** Exits with the code of the run, not of the signal. */
  private void stop(LoadRun run, CompletableFuture<Integer> exitCode) {
    run.stop();
    say("stopping; requests in flight are finished and audited");
    Runtime.getRuntime().halt(exitCode.join());
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The hook is running and halts the process.
      return;
    }
  }

  private static void checkWritable(@Nullable Path page) {
    if (page == null) {
      return;
    }
    Path file = page.toAbsolutePath();
    boolean writable =
        Files.exists(file)
            ? Files.isRegularFile(file) && Files.isWritable(file)
            : file.getParent() != null && Files.isWritable(file.getParent());
    if (!writable) {
      throw new IllegalArgumentException("--report: cannot write " + page);
    }
  }

  private int run(LoadRun run, LoadPlan plan) throws InterruptedException {
    ProgressLine progress =
        new ProgressLine(spec.commandLine().getErr(), ProgressLine.onTerminal(), plan.requests());
    CompletableFuture<LoadRun.Result> result =
        run.start().toCompletionStage().toCompletableFuture();
    while (true) {
      try {
        LoadRun.Result ended = result.get(1, TimeUnit.SECONDS);
        progress.end();
        return ended instanceof LoadRun.Result.Finished finished
            ? print(finished.report())
            : couldNotRun(((LoadRun.Result.CouldNotRun) ended).reason());
      } catch (TimeoutException stillRunning) {
        progress.show(run.recorder());
      } catch (ExecutionException e) {
        return couldNotRun("internal error: " + e.getCause());
      }
    }
  }

  @SuppressWarnings("SystemOut") // the output writer may wrap it and hide its errors
  private int print(LoadReport report) {
    boolean written = write(report, options.report);
    PrintWriter out = spec.commandLine().getOut();
    report.lines().forEach(out::println);
    if (options.json) {
      out.println(report.json().encode());
    }
    boolean printed = !out.checkError() && !System.out.checkError();
    if (!printed) {
      say("the result could not be written to standard output");
    }
    if (!report.exactlyOnce()) {
      return VIOLATED;
    }
    return written && printed ? EXACTLY_ONCE : COULD_NOT_RUN;
  }

  private boolean write(LoadReport report, @Nullable Path page) {
    try {
      if (page != null) {
        Files.writeString(page, HtmlReport.of(report));
      }
      return true;
    } catch (IOException e) {
      say("--report: cannot write " + page + ": " + e.getMessage());
      return false;
    }
  }

  private int couldNotRun(@Nullable String reason) {
    say(reason);
    return COULD_NOT_RUN;
  }

  private void say(@Nullable String message) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("load: " + message);
    err.flush();
  }
}
