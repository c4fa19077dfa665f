package dev.latchkey.service;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.slf4j.LoggerFactory;

/**
 * The Vert.x of the process, made while its command line is read: a second processor would have
 * nothing to do meanwhile. No option of the command line says how it is made. Safe for any thread.
 */
public final class EarlyVertx {

  private static final String NETTY_EVENTS = "io.netty.jfr.enabled";

  private final FutureTask<Vertx> making = new FutureTask<>(new Make());
  private final boolean begun;

  private static final class Make implements Callable<Vertx> {
    @Override
    public Vertx call() {
      return make();
    }
  }

  /**
   * Begins.
   *
   * @param now false to begin only when it is asked for
   */
  public EarlyVertx(boolean now) {
    begun = now;
    if (now) {
      // SLF4J complains on standard error when two threads ask for the first logger at a time.
      LoggerFactory.getILoggerFactory();
      Thread thread = new Thread(making, "latchkey-vertx");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /**
   * Waits for the instance, or makes it.
   *
   * @return always the same
   * @throws IllegalStateException when it cannot be made
   */
  public Vertx get() {
    if (!begun) {
      making.run();
    }
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return making.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("Vert.x cannot be made: " + e.getCause(), e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits until nothing is being made any more, so that the process can end in peace. */
  public void await() {
    if (begun) {
      get();
    }
  }

  /** Makes an instance as every process of this jar has it. */
  static Vertx make() {
    // Registering events that nobody records takes a tenth of the whole start.
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
}
