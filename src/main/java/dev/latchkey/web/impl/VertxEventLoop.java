package dev.latchkey.web.impl;

import dev.latchkey.core.Environment.Timer;
import dev.latchkey.core.EventLoop;
import io.vertx.core.internal.ContextInternal;

/** The root context of a verticle or server, as the event loop of its requests. */
record VertxEventLoop(ContextInternal context) implements EventLoop {

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
