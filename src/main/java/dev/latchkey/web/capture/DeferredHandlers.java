package dev.latchkey.web.capture;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * Handlers set on a response while it is captured. The real response gets them when something is
 * sent. Until then a client's disconnect breaks no pipe and cancels no work.
 */
final class DeferredHandlers {

  private @Nullable Handler<Throwable> exception;
  private @Nullable Handler<Void> drain;
  private @Nullable Handler<Void> close;
  private @Nullable Handler<Void> end;

  synchronized void set(String setter, @Nullable Object handler) {
    switch (setter) {
      case "exceptionHandler" -> exception = cast(handler);
      case "drainHandler" -> drain = cast(handler);
      case "closeHandler" -> close = cast(handler);
      case "endHandler" -> end = cast(handler);
      default -> throw new IllegalArgumentException("not a deferred handler: " + setter);
    }
  }

  @SuppressWarnings("unchecked") // the setter's signature has the type
  private static <T> @Nullable Handler<T> cast(@Nullable Object handler) {
    return (Handler<T>) handler;
  }

  /** Sets the handlers on the real response. Calls those whose event has already occurred. */
  void install(HttpServerResponse real) {
    Handler<Void> missedEnd = null;
    Handler<Void> missedClose = null;
    synchronized (this) {
      if (real.closed() || real.ended()) {
        missedEnd = end;
        missedClose = real.closed() ? close : null;
      } else {
        installOpen(real);
      }
      end = null;
      close = null;
      exception = null;
    }
    if (missedEnd != null) {
      missedEnd.handle(null);
    }
    if (missedClose != null) {
      missedClose.handle(null);
    }
  }

  private void installOpen(HttpServerResponse real) {
    if (exception != null) {
      real.exceptionHandler(exception);
    }
    if (drain != null) {
      real.drainHandler(drain);
    }
    if (close != null) {
      real.closeHandler(close);
    }
    if (end != null) {
      real.endHandler(end);
    }
  }

  /** Resumes a producer that paused because the write queue was full. */
  void drained() {
    Handler<Void> handler;
    synchronized (this) {
      handler = drain;
    }
    if (handler != null) {
      handler.handle(null);
    }
  }
}
