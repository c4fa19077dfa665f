package dev.latchkey.service.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** {@code /openapi.yaml}: the description of the API (OpenAPI 3.1), read once from the jar. */
public final class ApiDescription {

  private static final Buffer DOCUMENT = read();

  private ApiDescription() {}

  /** Adds the route. */
  public static void mount(Router router) {
    router
        .get("/openapi.yaml")
        .handler(
            ctx ->
                ctx.response()
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/yaml")
                    .putHeader(HttpHeaders.CACHE_CONTROL, "max-age=3600")
                    .end(DOCUMENT.copy()));
  }

  private static Buffer read() {
    try (InputStream in = ApiDescription.class.getResourceAsStream("openapi.yaml")) {
      if (in == null) {
        throw new IllegalStateException("resource openapi.yaml is not in the jar");
      }
      return Buffer.buffer(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
