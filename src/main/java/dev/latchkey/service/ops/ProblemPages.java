package dev.latchkey.service.ops;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code /problems/NAME}: the meaning of a problem, whether a retry is safe, and what to do. The
 * texts are in {@code problems.yaml}, read on first use and off the event loop. Safe for any
 * thread.
 */
public final class ProblemPages {

  private static final String TEXTS = "problems.yaml";
  private static final String TEMPLATE = "problem.html";

  private volatile @Nullable Map<String, String> pages;

  /** One entry of the file; the texts may contain HTML. */
  record ProblemText(
      String name, int status, String title, String meaning, String retry, String action) {}

  public void mount(Router router) {
    router.get("/problems/:name").handler(this::serve);
  }

  private void serve(RoutingContext ctx) {
    ctx.vertx()
        .executeBlocking(() -> page(ctx.pathParam("name")), false)
        .onSuccess(
            page ->
                page.ifPresentOrElse(
                    html ->
                        ctx.response()
                            .putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
                            .putHeader(HttpHeaders.CACHE_CONTROL, "max-age=3600")
                            .end(html),
                    () -> ctx.fail(404)))
        .onFailure(ctx::fail);
  }

  /** Renders a page; empty for an unknown name. Reads files on first use. */
  Optional<String> page(String name) {
    Map<String, String> all = pages;
    if (all == null) {
      all = render();
      pages = all;
    }
    return Optional.ofNullable(all.get(name));
  }

  private static Map<String, String> render() {
    String template = new String(resource(TEMPLATE), StandardCharsets.UTF_8);
    Map<String, String> rendered = new LinkedHashMap<>();
    for (ProblemText problem : texts()) {
      rendered.put(
          problem.name(),
          template
              .replace("{{name}}", problem.name())
              .replace("{{status}}", Integer.toString(problem.status()))
              .replace("{{title}}", problem.title())
              .replace("{{meaning}}", problem.meaning())
              .replace("{{retry}}", problem.retry())
              .replace("{{action}}", problem.action()));
    }
    return Map.copyOf(rendered);
  }

  private static List<ProblemText> texts() {
    try {
      return new ObjectMapper(new YAMLFactory())
          .readValue(resource(TEXTS), new TypeReference<List<ProblemText>>() {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] resource(String name) {
    try (InputStream in = ProblemPages.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("resource " + name + " is not in the jar");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
