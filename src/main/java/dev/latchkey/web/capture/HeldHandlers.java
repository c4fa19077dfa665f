package dev.latchkey.web.capture;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerResponse;
import org.jspecify.annotations.Nullable;

/**
 * Handlers that a downstream handler set on the response while it is captured. They are kept from
 * the real one until something is sent, so that a client that hangs up breaks no pipe and cancels
 * no work: what was claimed runs to its end.
 */
final class HeldHandlers {

  private @Nullable Handler<Throwable> exception;
  private @Nullable Handler<Void> drain;
  private @Nullable Handler<Void> close;
  private @Nullable Handler<Void> end;

  synchronized void hold(String setter, @Nullable Object handler) {
    switch (setter) {
      case "exceptionHandler" -> exception = cast(handler);
      case "drainHandler" -> drain = cast(handler);
      case "closeHandler" -> close = cast(handler);
      case "endHandler" -> end = cast(handler);
      default -> throw new IllegalArgumentException("no handler to hold: " + setter);
    }
  }

  @SuppressWarnings("unchecked") // the setter's own signature says what it is
  private static <T> @Nullable Handler<T> cast(@Nullable Object handler) {
    return (Handler<T>) handler;
  }

  /** Hands them to the real response; those that missed its end or closing are told at once. */
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

  /** Lets a producer go on that paused because the write queue read full. */
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
