package dev.latchkey.service.ops;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.vertx.core.Future;
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
import org.jspecify.annotations.Nullable;

/**
 * {@code /problems/NAME}: the meaning of a problem, whether a retry is safe, and what to do; {@code
 * /problems} lists them. The texts are in {@code problems.yaml}, rendered once, on first use and
 * off the event loop. Confined to an event loop.
 */
public final class ProblemPages {

  private static final String TEXTS = "problems.yaml";
  private static final String TEMPLATE = "problem.html";

  /** No problem has this name. */
  static final String INDEX = "";

  private final Map<String, String> pages = new LinkedHashMap<>();
  private @Nullable Future<?> rendering;

  /** One entry of the file; the texts may contain HTML. */
  record ProblemText(
      String name, int status, String title, String meaning, String retry, String action) {}

  public void mount(Router router) {
    router.get("/problems").handler(ctx -> serve(ctx, INDEX));
    router.get("/problems/:name").handler(ctx -> serve(ctx, ctx.pathParam("name")));
  }

  private void serve(RoutingContext ctx, String name) {
    Future<?> rendered = rendering;
    if (rendered == null || rendered.failed()) {
      rendered = ctx.vertx().executeBlocking(ProblemPages::render, false).onSuccess(pages::putAll);
      rendering = rendered;
    }
    rendered.onSuccess(v -> send(ctx, pages.get(name))).onFailure(ctx::fail);
  }

  private static void send(RoutingContext ctx, @Nullable String page) {
    if (page == null) {
      ctx.fail(404);
      return;
    }
    ctx.response()
        .putHeader(HttpHeaders.CONTENT_TYPE, "text/html; charset=utf-8")
        .putHeader(HttpHeaders.CACHE_CONTROL, "max-age=3600")
        .end(page);
  }

  /** Renders all pages by name, and the list of them. Reads files. */
  static Map<String, String> render() {
    String template = new String(resource(TEMPLATE), StandardCharsets.UTF_8);
    Map<String, String> rendered = new LinkedHashMap<>();
    StringBuilder list = new StringBuilder();
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
      list.append(
          "<li><code>%d</code> <a href=\"/problems/%s\">%s</a>: %s</li>%n"
              .formatted(problem.status(), problem.name(), problem.name(), problem.title()));
    }
    rendered.put(
        INDEX,
        template
                .substring(0, template.indexOf("<body>"))
                .replace("{{status}} {{title}}", "Problems")
            + "<body>\n<h1>Problems</h1>\n<ul>\n"
            + list
            + "</ul>\n</body>\n</html>\n");
    return rendered;
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
