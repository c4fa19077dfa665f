package dev.latchkey.web.impl;

import dev.latchkey.core.Attempt;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.web.LostLeaseException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.ContextInternal;
import io.vertx.ext.web.handler.impl.TimeoutHandlerImpl;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The steps of a handler. Confined to the request's context. */
final class Steps {

  private final ContextInternal context;
  private final Map<String, Buffer> recorded = new HashMap<>();
  private int running;
  private @Nullable Runnable idleHandler;

  private record Step(Buffer result, StepResult stored) {}

  Steps(ContextInternal context) {
    this.context = context;
  }

  Future<Buffer> run(Attempt attempt, String name, Supplier<Future<Buffer>> work) {
    if (name.isEmpty() || name.length() > IdempotencyStore.MAX_STEP_NAME_CHARS) {
      throw new IllegalArgumentException(
          "A step name has 1 to " + IdempotencyStore.MAX_STEP_NAME_CHARS + " characters: " + name);
    }
    Buffer known = recorded.getOrDefault(name, attempt.steps().get(name));
    if (known != null) {
      return context.succeededFuture(known.copy());
    }
    Promise<Step> onContext = context.promise();
    Future<Buffer> working = work.get();
    running++;
    working
        .compose(
            result -> {
              Objects.requireNonNull(result, () -> "step " + name + " has no result");
              return attempt.recordStep(name, result).map(stored -> new Step(result, stored));
            })
        .onComplete(onContext);
    onContext.future().onComplete(done -> ended());
    return onContext.future().compose(step -> finish(name, step));
  }

  private Future<Buffer> finish(String name, Step step) {
    if (step.stored() == StepResult.LOST_LEASE) {
      return Future.failedFuture(new LostLeaseException(name));
    }
    if (step.stored() == StepResult.TOO_MANY) {
      return Future.failedFuture(
          new IllegalStateException(
              "The store cannot record step %s: %d bytes, or more than %d steps"
                  .formatted(name, step.result().length(), IdempotencyStore.MAX_STEPS)));
    }
    recorded.put(name, step.result().copy());
    return Future.succeededFuture(step.result());
  }

  private void ended() {
    running--;
    // A turn later the handler has started another step or responded.
    context.runOnContext(
        ignored -> {
          if (running == 0 && idleHandler != null) {
            idleHandler.run();
          }
        });
  }

  /**
   * Returns whether the handler still runs although its request has a response: one made by a
   * TimeoutHandler, or while a step is running. In the latter case, {@code whenIdle} is called each
   * time the last running step has ended.
   */
  boolean outlastResponse(Runnable whenIdle) {
    if (isInTimeoutHandler()) {
      return true;
    }
    idleHandler = whenIdle;
    return running > 0;
  }

  private static boolean isInTimeoutHandler() {
    String timeout = TimeoutHandlerImpl.class.getName();
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(it -> it.getClassName().equals(timeout)));
  }
}
