package dev.latchkey.service.http;

import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.core.internal.http.HttpServerRequestWrapper;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * A HEAD request whose response drops its body and has its Content-Length. Vert.x sends the body
 * over HTTP/2 and no length over HTTP/1.1. Confined to its event loop.
 */
final class HeadRequest extends HttpServerRequestWrapper {

  private final HttpServerResponse response;

  private HeadRequest(HttpServerRequest request) {
    super((HttpServerRequestInternal) request);
    HttpServerResponse real = request.response();
    response =
        (HttpServerResponse)
            Proxy.newProxyInstance(
                HttpServerResponse.class.getClassLoader(),
                new Class<?>[] {HttpServerResponse.class},
                (proxy, method, args) -> call(proxy, real, method, args));
  }

  /** Wraps a HEAD request; returns any other as it is. */
  static HttpServerRequest wrap(HttpServerRequest request) {
    return request.method().equals(HttpMethod.HEAD) ? new HeadRequest(request) : request;
  }

  @Override
  public HttpServerResponse response() {
    return response;
  }

  private static @Nullable Object call(
      Object proxy, HttpServerResponse real, Method method, Object @Nullable [] args)
      throws Throwable {
    if (args != null && method.getName().equals("write")) {
      return Future.succeededFuture();
    }
    if (args != null && method.getName().equals("end")) {
      Buffer body = args[0] instanceof Buffer bytes ? bytes : Buffer.buffer((String) args[0]);
      if (!real.headers().contains(HttpHeaders.CONTENT_LENGTH)) {
        real.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
      }
      return real.end();
    }
    try {
      Object result = method.invoke(real, args);
      return result == real ? proxy : result;
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
