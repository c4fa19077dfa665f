package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A response that passes everything to the real one until it is told to capture.
 *
 * <p>While it captures, the real response is untouched, and another response may be sent through
 * {@link #real()}. The downstream handler sees a response of its own, which stays open when the
 * client disconnects. The methods here are called on the request's context; downstream handlers may
 * write from any thread.
 */
public final class CapturingResponse {

  private final HttpServerRequestInternal request;
  private final HttpServerResponse real;
  private volatile HttpServerResponse proxy;
  private final DeferredHandlers deferred = new DeferredHandlers();
  private volatile @Nullable RoutingContext routing;
  private volatile @Nullable ResponseRecorder recorder;
  private volatile boolean passing = true;
  private volatile @Nullable Handler<Void> headersEnd;
  private volatile boolean headersEnded;
  private volatile Runnable beforeHead = () -> {};

  /** Runs the real response's headers-end handlers; its calls go there, even while capturing. */
  private volatile @Nullable Thread writingHead;

  CapturingResponse(HttpServerRequestInternal request) {
    this.request = request;
    real = request.response();
    proxy = ResponseProxy.of(this);
  }

  /**
   * Finds the capturing response of a request.
   *
   * @param ctx the request
   * @return empty if it did not come through a {@link CaptureRoute}
   */
  public static Optional<CapturingResponse> of(RoutingContext ctx) {
    return ctx.response() instanceof ResponseProxy.Captured captured
        ? Optional.of(captured.capturing())
        : Optional.empty();
  }

  /** Returns the real response. */
  public HttpServerResponse real() {
    return real;
  }

  /** Returns whether it captures now. This is so again when a rerouted request comes back. */
  public boolean isCapturing() {
    return !passing;
  }

  /**
   * Captures everything from now on.
   *
   * @param maxBytes the largest body that is captured whole, positive
   * @param listener receives the result
   * @throws IllegalStateException if it captures already or the head is written
   */
  public void begin(int maxBytes, CaptureListener listener) {
    if (recorder != null || real.headWritten()) {
      throw new IllegalStateException("the response is captured already, or has begun");
    }
    recorder = new ResponseRecorder(this, request, maxBytes, listener);
    passing = false;
  }

  /**
   * Discards the captured response and captures the handler's next one. Futures of calls that ended
   * the discarded response complete when a response is sent. If its producer has not ended it, the
   * next response is another object, and what the producer still writes is ignored.
   */
  public void discard() {
    if (recorder().restart()) {
      proxy = ResponseProxy.of(this);
    }
  }

  /**
   * Sends a captured response to the client as its handler meant it, and stops capturing.
   *
   * @param response the captured response
   * @param extra headers to add; they replace the response's headers of the same name
   * @return completes when it is sent; fails if the client disconnected or got another response
   */
  public Future<Void> deliver(CapturedResponse response, List<Header> extra) {
    ResponseRecorder delivered = recorder();
    if (real.headWritten()) {
      end();
      return Future.failedFuture(new IllegalStateException("another response was already sent"));
    }
    passThrough(true);
    delivered.applyCookies(real);
    Future<Void> sent = ResponseSender.writeFirst(real, response, extra);
    sent.onComplete(delivered::sent);
    return sent;
  }

  /**
   * Stops capturing. The headers of the real response are as they were when capturing began, and
   * the caller writes another response to it at once.
   */
  public void end() {
    ResponseRecorder stopped = recorder;
    if (stopped != null && !passing) {
      passThrough(false);
      stopped.sent(Future.succeededFuture());
    }
  }

  /**
   * Tells the handler that its response ended, although the client got another one: completes the
   * futures of the calls that ended it, and calls its end handlers. Keeps capturing, because the
   * handler may have to produce another response to store.
   */
  public void settle() {
    ResponseRecorder settled = recorder;
    if (settled != null && !passing) {
      deferred.install(real);
      settled.sent(Future.succeededFuture());
    }
  }

  /**
   * Writes a stored response. Its headers take precedence, also over headers-end handlers.
   *
   * @param stored the response, retained
   * @param extra headers of this delivery
   * @return completes when it is sent, fails if the client disconnected
   */
  public Future<Void> replay(StoredResponse stored, List<Header> extra) {
    end();
    if (headersEnd != null) {
      beforeHead =
          () -> {
            ResponseSender.setStoredHeaders(real, stored);
            ResponseSender.setHeaders(real, extra);
          };
      real.headersEndHandler(v -> writeHead());
    }
    return ResponseSender.write(real, request.method(), stored, extra);
  }

  /**
   * Sets the routing context that tells whether the request has failed.
   *
   * @param ctx the request, in any router
   */
  public void routedBy(RoutingContext ctx) {
    routing = ctx;
  }

  boolean failed() {
    RoutingContext ctx = routing;
    return ctx != null && ctx.failed();
  }

  <T> Future<T> refuse(String what) {
    return recorder().refuse(what);
  }

  HttpServerResponse proxy() {
    return proxy;
  }

  DeferredHandlers deferred() {
    return deferred;
  }

  void setHeadersEndHandler(@Nullable Handler<Void> handler) {
    headersEnd = handler;
    real.headersEndHandler(v -> writeHead());
  }

  /** Runs the headers-end handlers over the captured head. */
  void endHeaders() {
    Handler<Void> handler = headersEnd;
    if (handler != null) {
      handler.handle(null);
    }
  }

  private void writeHead() {
    Thread outer = writingHead;
    writingHead = Thread.currentThread();
    try {
      if (!headersEnded) {
        endHeaders();
      }
      beforeHead.run();
    } finally {
      writingHead = outer;
    }
  }

  /** Passes the handler's further calls to the real response. */
  void passThrough(boolean withCapturedHead) {
    if (!passing) {
      headersEnded = withCapturedHead;
      passing = true;
      deferred.install(real);
    }
  }

  /** Returns the recorder of a call, or null if the call goes to the real response. */
  @Nullable ResponseRecorder recorderOf(String method) {
    ResponseRecorder current = recorder;
    boolean passes =
        passing
            || writingHead == Thread.currentThread()
            || ResponseRecorder.PASSED.contains(method);
    return passes ? null : current;
  }

  private ResponseRecorder recorder() {
    ResponseRecorder current = recorder;
    if (current == null) {
      throw new IllegalStateException("the response was never captured");
    }
    return current;
  }
}
