package dev.latchkey.testing;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import java.util.concurrent.TimeUnit;

/**
 * Creates Vert.x instances for tests. If our code blocks one of their event loops, {@link
 * BlockedLoopExtension} fails the test. The caller closes the instance.
 */
public final class TestVertx {

  private TestVertx() {}

  /** Creates an instance with default options. */
  public static Vertx create() {
    return create(new VertxOptions());
  }

  /** Creates an instance; the options are not changed, those for blocked threads not used. */
  public static Vertx create(VertxOptions options) {
    return create(options, BlockedLoopRecorder.shared());
  }

  static Vertx create(VertxOptions options, BlockedLoopRecorder recorder) {
    VertxOptions watched =
        new VertxOptions(options)
            .setMaxEventLoopExecuteTimeUnit(TimeUnit.MILLISECONDS)
            .setMaxEventLoopExecuteTime(BlockedLoopRecorder.CHECK_MILLIS)
            .setBlockedThreadCheckIntervalUnit(TimeUnit.MILLISECONDS)
            .setBlockedThreadCheckInterval(BlockedLoopRecorder.CHECK_MILLIS);
    Vertx vertx = Vertx.vertx(watched);
    recorder.watch((VertxInternal) vertx);
    return vertx;
  }
}
