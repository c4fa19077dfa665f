package dev.latchkey.web.capture;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerResponse;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * Routes the calls of a response to the real one or, while it is captured, to the recorder. It is a
 * dynamic proxy, so it has all methods that the interface has in the Vert.x version in use.
 */
final class ResponseProxy implements InvocationHandler {

  /** Leads from a proxy to its response, faster than asking for its invocation handler. */
  interface Captured {
    CapturingResponse capturing();
  }

  private static final @Nullable Object[] NO_ARGUMENTS = {};
  private static final MethodHandle CONSTRUCTOR = constructor();

  private final CapturingResponse capturing;

  private ResponseProxy(CapturingResponse capturing) {
    this.capturing = capturing;
  }

  static HttpServerResponse of(CapturingResponse capturing) {
    try {
      return (HttpServerResponse) CONSTRUCTOR.invokeExact(new ResponseProxy(capturing));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the constructor of a proxy throws nothing", e);
    }
  }

  /** Finds the constructor once; {@link Proxy#newProxyInstance} looks it up for each request. */
  private static MethodHandle constructor() {
    Class<?>[] types = {HttpServerResponse.class, Captured.class};
    Class<?> type =
        Proxy.newProxyInstance(Captured.class.getClassLoader(), types, (self, method, args) -> null)
            .getClass();
    try {
      return MethodHandles.lookup()
          .findConstructor(type, MethodType.methodType(void.class, InvocationHandler.class))
          .asType(MethodType.methodType(HttpServerResponse.class, ResponseProxy.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a proxy class without its constructor", e);
    }
  }

  @Override
  public @Nullable Object invoke(Object self, Method method, @Nullable Object @Nullable [] given)
      throws Throwable {
    @Nullable Object[] args = given == null ? NO_ARGUMENTS : given;
    String name = method.getName();
    switch (name) {
      case "capturing" -> {
        return capturing;
      }
      case "equals" -> {
        return self == args[0];
      }
      case "hashCode" -> {
        return System.identityHashCode(self);
      }
      case "toString" -> {
        return "capturing " + capturing.real();
      }
      case "headersEndHandler" -> {
        @SuppressWarnings("unchecked")
        Handler<Void> handler = (Handler<Void>) args[0];
        capturing.setHeadersEndHandler(handler);
        return self;
      }
      default -> {}
    }
    ResponseRecorder recorder = capturing.recorderOf(name);
    if (self != capturing.proxy() && !isGetter(method)) {
      return ofDiscarded(self, method);
    }
    if (recorder == null) {
      return call(self, method, args);
    }
    if (method.isDefault() && !name.equals("end")) {
      return InvocationHandler.invokeDefault(self, method, args);
    }
    Object result = recorder.call(name, args);
    return result == recorder ? self : result;
  }

  /** Takes what the producer of a discarded response still writes, and forgets it. */
  private static @Nullable Object ofDiscarded(Object self, Method method) {
    Class<?> type = method.getReturnType();
    if (type == boolean.class) {
      return !method.getName().equals("writeQueueFull");
    }
    if (type == Future.class) {
      return Future.succeededFuture();
    }
    return type.isInstance(self) ? self : null;
  }

  private static boolean isGetter(Method method) {
    return method.getParameterCount() == 0
        && (method.getReturnType() == int.class
            || method.getReturnType() == long.class
            || method.getReturnType() == String.class
            || method.getReturnType() == MultiMap.class);
  }

  private @Nullable Object call(Object self, Method method, @Nullable Object[] args)
      throws Throwable {
    try {
      Object result = method.invoke(capturing.real(), args);
      return result == capturing.real() ? self : result;
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }
}
