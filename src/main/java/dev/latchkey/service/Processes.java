package dev.latchkey.service;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.io.PrintStream;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs {@code serve} and {@code psp} as the whole of a process, until it is told to end. */
public final class Processes {

  private static final Logger LOG = LoggerFactory.getLogger(Processes.class);
  private static final long DRAIN_MILLIS = 30_000;
  private static final long DRAIN_SLACK_MILLIS = 5_000;

  /** Longest time from SIGTERM to the end of the process. */
  static final long LONGEST_END_MILLIS = DRAIN_MILLIS + DRAIN_SLACK_MILLIS;

  private static final int FAILED = 1;

  private Processes() {}

  /**
   * Serves until SIGTERM or SIGINT, then drains and ends the process: with 0, or with 1 when
   * something had to be cut off.
   *
   * @param config how to run
   * @param made the instance of the process, perhaps still being made
   * @return 1 when it could not start; otherwise it does not return
   */
  public static int serve(ServeConfig config, EarlyVertx made) {
    Vertx vertx = made.get();
    return run(
        LatchkeyServer.start(vertx, config)
            .map(server -> new Running(server.readyLine(), () -> server.drain(DRAIN_MILLIS))),
        () -> "http://" + Hosts.inUrl(config.host()) + ":" + config.port());
  }

  /**
   * Brings a schema up to date. Blocks until that is done.
   *
   * @param database where
   * @return 0, or 1 when the database cannot be reached or refuses
   */
  public static int migrate(PostgresLocation database) {
    Vertx vertx = EarlyVertx.make();
    try {
      int applied =
          DatabaseSchemas.migrate(vertx, database.connectOptions())
              .toCompletionStage()
              .toCompletableFuture()
              .get();
      LOG.info("the schema of {} is up to date, {} migrations were applied", database, applied);
      return 0;
    } catch (ExecutionException e) {
      LOG.error("the schema of {} was not brought up to date: {}", database, reason(e));
      return FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FAILED;
    } finally {
      vertx.close();
    }
  }

  /**
   * Runs the simulated PSP until SIGTERM or SIGINT.
   *
   * @param config how to run
   * @return 1 when it could not start; otherwise it does not return
   */
  public static int psp(PspConfig config) {
    Vertx vertx = EarlyVertx.make();
    String host = "http://" + Hosts.inUrl(config.host()) + ":";
    return run(
        Wiring.psp(vertx, config)
            .map(
                port ->
                    new Running(
                        "latchkey psp ready on " + host + port, () -> vertx.close().map(true))),
        () -> host + config.port());
  }

  private record Running(String readyLine, Supplier<Future<Boolean>> end) {}

  @SuppressWarnings("SystemOut") // the ready line is meant for standard output
  private static int run(Future<Running> starting, Supplier<String> where) {
    PrintStream out = System.out;
    try {
      Running running = starting.toCompletionStage().toCompletableFuture().get();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(running), "latchkey-drain"));
      out.println(running.readyLine());
      out.flush();
      new CountDownLatch(1).await();
      return 0;
    } catch (ExecutionException e) {
      LOG.error("cannot start on {}: {}", where.get(), reason(e));
      return FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FAILED;
    }
  }

  private static Object reason(ExecutionException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return Objects.requireNonNullElse(cause.getMessage(), cause);
  }

  /** The last thing the process does; other shutdown hooks are not waited for. */
  private static void end(Running running) {
    int code = FAILED;
    try {
      boolean clean =
          running
              .end()
              .get()
              .toCompletionStage()
              .toCompletableFuture()
              .get(LONGEST_END_MILLIS, TimeUnit.MILLISECONDS);
      code = clean ? 0 : FAILED;
    } catch (ExecutionException | TimeoutException e) {
      LOG.error("the drain failed: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(code);
  }
}
