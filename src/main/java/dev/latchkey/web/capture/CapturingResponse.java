package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.ext.web.RoutingContext;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A response that passes everything on to the real one until it is told to capture. It is a proxy,
 * so that it has whatever methods the interface has in the Vert.x at hand.
 *
 * <p>While it captures, the real response is untouched and may be answered by others through {@link
 * #real()}; the downstream handler sees one of its own, open also after the client hung up. The
 * methods here are called on the request's context; downstream handlers may write from any thread.
 */
public final class CapturingResponse implements InvocationHandler {

  /** Leads from a response to what stands behind it, quicker than asking for its handler. */
  interface Captured {
    CapturingResponse capturing();
  }

  private static final @Nullable Object[] NO_ARGUMENTS = {};
  private static final MethodHandle NEW_PROXY = newProxy();

  private final HttpServerRequestInternal request;
  private final HttpServerResponse real;
  private final HttpServerResponse proxy;
  private volatile @Nullable RoutingContext routing;
  private volatile @Nullable Recorder recorder;
  private volatile boolean passing = true;
  private final HeldHandlers held = new HeldHandlers();
  private volatile @Nullable Handler<Void> headersEnd;
  private volatile boolean headersEnded;
  private volatile Runnable lastWord = () -> {};
  // Whoever runs the headers-end handlers of the real response means that one, also while another
  // answer is captured beside it.
  private volatile @Nullable Thread writingHead;

  CapturingResponse(HttpServerRequestInternal request) {
    this.request = request;
    real = request.response();
    proxy = proxy(this);
  }

  /** Finds the constructor once, which {@link Proxy#newProxyInstance} looks up every time. */
  private static MethodHandle newProxy() {
    Class<?>[] types = {HttpServerResponse.class, Captured.class};
    Class<?> type =
        Proxy.newProxyInstance(Captured.class.getClassLoader(), types, (self, method, args) -> null)
            .getClass();
    try {
      return MethodHandles.lookup()
          .findConstructor(type, MethodType.methodType(void.class, InvocationHandler.class))
          .asType(MethodType.methodType(HttpServerResponse.class, CapturingResponse.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a proxy class without its constructor", e);
    }
  }

  private static HttpServerResponse proxy(CapturingResponse handler) {
    try {
      return (HttpServerResponse) NEW_PROXY.invokeExact(handler);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the constructor of a proxy throws nothing", e);
    }
  }

  /**
   * Finds the capturing response of a request.
   *
   * @param ctx the request
   * @return empty when it did not come through a {@link CaptureRoute}
   */
  public static Optional<CapturingResponse> of(RoutingContext ctx) {
    return ctx.response() instanceof Captured captured
        ? Optional.of(captured.capturing())
        : Optional.empty();
  }

  /** Returns the response underneath, which capturing leaves alone. */
  public HttpServerResponse real() {
    return real;
  }

  /**
   * Captures everything from now on.
   *
   * @param maxBytes the largest body that is captured whole, positive
   * @param sink told what came of it
   * @throws IllegalStateException when it captures already or the head is written
   */
  public void begin(int maxBytes, Sink sink) {
    if (recorder != null || real.headWritten()) {
      throw new IllegalStateException("the response is captured already, or has begun");
    }
    recorder = new Recorder(this, request, maxBytes, sink);
    passing = false;
  }

  /**
   * Drops what was captured and captures anew: the handler answers again. Futures of calls that
   * ended the dropped answer complete with the one that is sent.
   */
  public void discard() {
    recorder().restart();
  }

  /**
   * Sends a captured answer to the client as its handler meant it, and stops capturing.
   *
   * @param answer what was captured
   * @param extra headers to set beside, over those of the answer where the names are the same
   * @return completes when it was sent; fails when the client has gone or had another answer
   */
  public Future<Void> deliver(Answer answer, List<Header> extra) {
    Recorder delivered = recorder();
    if (real.headWritten()) {
      end();
      return Future.failedFuture(new IllegalStateException("another answer was sent already"));
    }
    passThrough(true);
    Future<Void> sent = Replay.writeFirst(real, answer, extra);
    sent.onComplete(delivered::sent);
    return sent;
  }

  /**
   * Stops capturing and passes on again: somebody else writes quite another answer, at once, to
   * this response or the real one, whose headers are as they were when capturing began.
   */
  public void end() {
    Recorder stopped = recorder;
    if (stopped != null && !passing) {
      stopped.cookies().takeBack();
      passThrough(false);
      stopped.sent(Future.succeededFuture());
    }
  }

  /**
   * Says that the handler's answer will not be sent, since the client had another one: completes
   * the futures of the calls that ended it, and tells its handlers of the end. Goes on capturing,
   * for a handler that has to answer anew all the same.
   */
  public void settle() {
    Recorder settled = recorder;
    if (settled != null && !passing) {
      held.install(real);
      settled.sent(Future.succeededFuture());
    }
  }

  /**
   * Writes a stored answer, which has the last word on its headers: also over handlers that act
   * when the head is written.
   *
   * @param stored what to answer, retained
   * @param extra headers of this moment
   * @return completes when it was sent, fails when the client has gone
   */
  public Future<Void> replay(StoredResponse stored, List<Header> extra) {
    end();
    if (headersEnd != null) {
      lastWord =
          () -> {
            Replay.setHeaders(real, Replay.visible(stored));
            Replay.setHeaders(real, extra);
          };
      real.headersEndHandler(v -> writeHead());
    }
    return Replay.write(real, request.method(), stored, extra);
  }

  HttpServerResponse proxy() {
    return proxy;
  }

  HeldHandlers held() {
    return held;
  }

  /** Returns whether it captures now; true again when a reroute comes by a second time. */
  public boolean isCapturing() {
    return !passing;
  }

  boolean failed() {
    RoutingContext ctx = routing;
    return ctx != null && ctx.failed();
  }

  /**
   * Says who is asked whether the request has failed.
   *
   * @param ctx of the request, of whichever router
   */
  public void routedBy(RoutingContext ctx) {
    routing = ctx;
  }

  <T> Future<T> refuse(String what) {
    return recorder().refuse(what);
  }

  /** Runs the headers-end handlers over the captured head. */
  void endHeaders() {
    Handler<Void> handler = headersEnd;
    if (handler != null) {
      handler.handle(null);
    }
  }

  /** From now on the handler's calls reach the real response. */
  void passThrough(boolean withCapturedHead) {
    if (!passing) {
      headersEnded = withCapturedHead;
      passing = true;
      held.install(real);
    }
  }

  private Recorder recorder() {
    Recorder current = recorder;
    if (current == null) {
      throw new IllegalStateException("the response was never captured");
    }
    return current;
  }

  private void writeHead() {
    Thread outer = writingHead;
    writingHead = Thread.currentThread();
    try {
      if (!headersEnded) {
        endHeaders();
      }
      lastWord.run();
    } finally {
      writingHead = outer;
    }
  }

  @Override
  public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] given)
      throws Throwable {
    @Nullable Object[] args = given == null ? NO_ARGUMENTS : given;
    String name = method.getName();
    switch (name) {
      case "capturing" -> {
        return this;
      }
      case "equals" -> {
        return self == args[0];
      }
      case "hashCode" -> {
        return System.identityHashCode(self);
      }
      case "toString" -> {
        return "capturing " + real;
      }
      case "headersEndHandler" -> {
        @SuppressWarnings("unchecked")
        Handler<Void> handler = (Handler<Void>) args[0];
        headersEnd = handler;
        real.headersEndHandler(v -> writeHead());
        return self;
      }
      default -> {}
    }
    Recorder recording = recorder;
    if (recording == null
        || passing
        || writingHead == Thread.currentThread()
        || Recorder.PASSED.contains(name)) {
      return call(self, method, args);
    }
    if (method.isDefault() && !name.equals("end")) {
      return InvocationHandler.invokeDefault(self, method, args);
    }
    Object result = recording.call(name, args);
    return result == recording ? self : result;
  }

  private @Nullable Object call(Object self, Method method, @Nullable Object[] args)
      throws Throwable {
    try {
      Object result = method.invoke(real, args);
      return result == real ? self : result;
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
