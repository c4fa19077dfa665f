package dev.latchkey.testing;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.TimeUnit;

/**
 * Makes Vert.x instances for tests. Where our code blocks one of their event loops for so long that
 * {@value BlockedLoopRecorder#CHECKS} checks in a row see it, {@value #CHECK_MILLIS} ms apart,
 * {@link BlockedLoopExtension} fails the test. Whoever makes one closes it.
 */
public final class TestVertx {

  private static final long CHECK_MILLIS = 500;

  private TestVertx() {}

  /** Makes an instance with default options. */
  public static Vertx create() {
    return create(new VertxOptions());
  }

  /** Makes an instance; the options are not changed, those for blocked threads not used. */
  public static Vertx create(VertxOptions options) {
    return create(options, BlockedLoopRecorder.shared(), CHECK_MILLIS, CHECK_MILLIS);
  }

  static Vertx create(
      VertxOptions options, BlockedLoopRecorder recorder, long maxBlockedMillis, long checkMillis) {
    VertxOptions watched =
        new VertxOptions(options)
            .setMaxEventLoopExecuteTimeUnit(TimeUnit.MILLISECONDS)
            .setMaxEventLoopExecuteTime(maxBlockedMillis)
            .setBlockedThreadCheckIntervalUnit(TimeUnit.MILLISECONDS)
            .setBlockedThreadCheckInterval(checkMillis);
    Vertx vertx = Vertx.vertx(watched);
    recorder.watch((VertxInternal) vertx);
    return vertx;
  }
}
