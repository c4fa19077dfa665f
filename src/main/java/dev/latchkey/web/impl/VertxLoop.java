package dev.latchkey.web.impl;

import dev.latchkey.core.Loop;
import dev.latchkey.core.Surroundings.Timer;
import io.vertx.core.internal.ContextInternal;

/** The root context of a verticle, or of a server, as the loop of its requests. */
record VertxLoop(ContextInternal context) implements Loop {

  @Override
  public void run(Runnable task) {
    context.emit(ignored -> task.run());
  }

  @Override
  public void later(Runnable task) {
    context.runOnContext(ignored -> task.run());
  }

  @Override
  public Timer after(long delayMillis, Runnable task) {
    long id = context.setTimer(delayMillis, ignored -> task.run());
    return () -> context.owner().cancelTimer(id);
  }
}
