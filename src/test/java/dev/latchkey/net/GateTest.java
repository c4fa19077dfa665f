package dev.latchkey.net;

import static dev.latchkey.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.TestVertx;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.lang.ref.WeakReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Waiters of a gate, and those it forgets. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class GateTest {

  private static final long NEVER_MILLIS = 3_600_000;
  private static final int MOST_COLLECTIONS = 100;

  private final Vertx vertx = TestVertx.create();
  private final ContextInternal loop = ((VertxInternal) vertx).createEventLoopContext();
  private final Gate gate = new Gate(loop);

  @AfterEach
  void close() {
    await(vertx.close());
  }

  private <T> Future<T> started(Supplier<Future<T>> call) {
    return await(Future.future(done -> loop.runOnContext(ignored -> done.complete(call.get()))));
  }

  private void change(Runnable change) {
    await(
        started(
            () -> {
              change.run();
              return Future.succeededFuture();
            }));
  }

  @Test
  void lateWaitersPassUntilItIsShut() {
    Future<Boolean> early = started(() -> gate.passed(NEVER_MILLIS));
    assertThat(gate.isOpen()).isFalse();

    change(gate::open);

    assertThat(await(early)).isTrue();
    assertThat(await(started(() -> gate.passed(1)))).isTrue();
    change(gate::shut);
    assertThat(await(started(() -> gate.passed(1)))).isFalse();
  }

  @Test
  void waiterThatGaveUpIsForgottenWhileItStaysShut() {
    Future<Boolean> given = started(() -> gate.passed(1));
    WeakReference<Future<Boolean>> kept = new WeakReference<>(given);
    assertThat(await(given)).isFalse();
    given = null;

    for (int i = 0; i < MOST_COLLECTIONS && kept.get() != null; i++) {
      System.gc();
    }
    assertThat(kept.get()).isNull();
  }
}
