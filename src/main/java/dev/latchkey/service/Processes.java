package dev.latchkey.service;

import dev.latchkey.service.cli.CommandActions;
import dev.latchkey.service.cli.EraseOptions;
import dev.latchkey.service.cli.OperationOptions;
import dev.latchkey.service.cli.PostgresLocation;
import dev.latchkey.service.cli.PspOptions;
import dev.latchkey.service.cli.ServeConfig;
import dev.latchkey.service.cli.StoreConfig;
import dev.latchkey.service.erase.Erasure;
import dev.latchkey.service.erase.Subject;
import dev.latchkey.service.http.Hosts;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes commands: {@code serve} and {@code psp} until a signal ends the process. */
public final class Processes implements CommandActions {

  private static final Logger LOG = LoggerFactory.getLogger(Processes.class);
  private static final long DRAIN_SLACK_MILLIS = 5_000;

  private static final int FAILED = 1;
  private static final String NETTY_EVENTS = "io.netty.jfr.enabled";

  @Override
  public int serve(ServeConfig config) {
    Vertx vertx = vertx();
    return run(
        LatchkeyServer.start(vertx, config)
            .onSuccess(server -> onHangUp(server::reload))
            .map(server -> new Running(server.readyLine(), server::stop, maxEndMillis(config))),
        () -> "http://" + Hosts.inUrl(config.options().host()) + ":" + config.options().port());
  }

  /** Maximum time from SIGTERM to the exit of the process. */
  static long maxEndMillis(ServeConfig config) {
    OperationOptions operation = config.operation();
    return operation.drainDelay().plus(operation.drainTimeout()).toMillis() + DRAIN_SLACK_MILLIS;
  }

  @Override
  public int migrate(PostgresLocation database) {
    Vertx vertx = vertx();
    try {
      int applied =
          DatabaseSchemas.migrate(vertx, database.connectOptions())
              .toCompletionStage()
              .toCompletableFuture()
              .get();
      LOG.info("schema of {} is up to date, {} migrations applied", database, applied);
      return 0;
    } catch (ExecutionException e) {
      LOG.error("migrating the schema of {} failed: {}", database, reason(e));
      return FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return FAILED;
    } finally {
      vertx.close();
    }
  }

  @Override
  public int psp(PspOptions options) {
    Vertx vertx = vertx();
    String host = "http://" + Hosts.inUrl(options.host()) + ":";
    return run(
        Wiring.psp(vertx, options)
            .map(
                port ->
                    new Running(
                        "latchkey psp ready on " + host + port,
                        () -> vertx.close().map(true),
                        DRAIN_SLACK_MILLIS)),
        () -> host + options.port());
  }

  @Override
  @SuppressWarnings("SystemOut") // the lines are meant for standard output
  public int erase(StoreConfig stores, EraseOptions options) {
    String id = options.customer().or(options::key).orElseThrow();
    Subject subject = new Subject(options.tenant(), options.customer().isPresent(), id);
    try {
      Erasure.run(stores, subject, options.yes(), System.out);
      return 0;
    } catch (RuntimeException e) {
      LOG.error("erasing failed: {}", e.getMessage());
      return FAILED;
    }
  }

  @Override
  @SuppressWarnings("SystemOut") // the script is meant for standard output
  public int printDdl() {
    System.out.print(DatabaseSchemas.ddl());
    return 0;
  }

  private static Vertx vertx() {
    // Registering unused events takes a tenth of the startup time.
    if (System.getProperty(NETTY_EVENTS) == null) {
      System.setProperty(NETTY_EVENTS, "false");
    }
    return Vertx.vertx(
        new VertxOptions()
            .setPreferNativeTransport(true)
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setClassPathResolvingEnabled(false)
                    .setFileCachingEnabled(false)));
  }

  /** By reflection: the class for signals is in every JDK, but javac warns of its use. */
  private static void onHangUp(Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object onSignal =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (proxy, method, args) -> {
                action.run();
                return null;
              });
      signal
          .getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), onSignal);
    } catch (ReflectiveOperationException e) {
      LOG.warn("SIGHUP reloads nothing on this platform");
    }
  }

  private record Running(String readyLine, Supplier<Future<Boolean>> end, long maxEndMillis) {}

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

  /** Exits without waiting for other shutdown hooks. */
  private static void end(Running running) {
    int code = FAILED;
    try {
      boolean clean =
          running
              .end()
              .get()
              .toCompletionStage()
              .toCompletableFuture()
              .get(running.maxEndMillis(), TimeUnit.MILLISECONDS);
      code = clean ? 0 : FAILED;
    } catch (ExecutionException | TimeoutException e) {
      LOG.error("the drain failed: {}", e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(code);
  }
}
