package dev.latchkey.service.http;

import dev.latchkey.web.Problem;
import dev.latchkey.web.ProblemType;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.http.HttpServerRequestInternal;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Problem documents for failed requests and unknown paths. */
public final class ErrorResponses {

  private static final Logger LOG = LoggerFactory.getLogger(ErrorResponses.class);
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.US)
          .withZone(ZoneOffset.UTC);
  private static final String KEYS = "/v1/idempotency-keys/";
  private static final int FIRST_ERROR = 400;
  private static final int FIRST_SERVER_ERROR = 500;
  private static final int LAST_ERROR = 599;

  private ErrorResponses() {}

  /**
   * Handles every error status of a router. {@code Allow} lacks the methods of sub-routers.
   *
   * @param router the outermost one
   */
  public static void install(Router router) {
    for (int status = FIRST_ERROR; status <= LAST_ERROR; status++) {
      int code = status;
      router.errorHandler(code, ctx -> respond(router, ctx, code));
    }
  }

  /**
   * Responds to a request with a malformed head. The server then closes the connection.
   *
   * @param request the part that could be decoded
   */
  static void malformed(HttpServerRequest request) {
    Problem problem = ofHead(request);
    request
        .response()
        .setStatusCode(problem.status())
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json")
        .putHeader("Link", "</problems/" + problem.name() + ">; rel=\"describedby\"")
        .putHeader(HttpHeaders.CONNECTION, "close")
        .putHeader(HttpHeaders.DATE, date())
        .end(problem.toJson(RequestProblems.path(request.uri())).toBuffer());
  }

  /** Returns the value of {@code Date} for a response that is sent now. */
  public static String date() {
    return HTTP_DATE.format(Instant.now());
  }

  /**
   * Sends a problem from outside the request's route, on the request's own context.
   *
   * @param request on its event loop, without a response
   * @param problem the response
   */
  static void send(RoutingContext request, Problem problem) {
    ((HttpServerRequestInternal) request.request()).context().emit(request, problem::send);
  }

  private static Problem ofHead(HttpServerRequest request) {
    Throwable cause = request.decoderResult().cause();
    // Other methods ignore the key.
    if (cause instanceof StrictRequestDecoder.MalformedKeyException
        && HttpMethod.POST.equals(request.method())) {
      return Problem.of(
          400,
          ProblemType.KEY_MALFORMED,
          "The key contains a character that HTTP headers do not allow. Nothing was executed.");
    }
    if (cause instanceof StrictRequestDecoder.RefusedHeadException refused) {
      return RequestProblems.invalid(
          refused.status, refused.getMessage() + ". Nothing was executed.");
    }
    if (cause instanceof TooLongHttpLineException || cause instanceof TooLongHttpHeaderException) {
      return RequestProblems.invalid(
          cause instanceof TooLongHttpLineException ? 414 : 431,
          "The request line or the headers are too long. Nothing was executed.");
    }
    return RequestProblems.invalid(
        400, "The request line or a header is malformed. Nothing was executed.");
  }

  private static void respond(Router router, RoutingContext ctx, int status) {
    Throwable failure = ctx.failure();
    if (status >= FIRST_SERVER_ERROR
        && failure != null
        && !(failure instanceof HttpClosedException)) { // the client hung up
      String path = ctx.normalizedPath();
      StackTraceElement[] frames = failure.getStackTrace();
      LOG.error(
          "{} {} failed: {}{}",
          ctx.request().method(),
          path.startsWith(KEYS) ? KEYS + "..." : path, // a key is not logged here
          failure,
          frames.length == 0 ? "" : " at " + frames[0]);
    }
    if (ctx.response().headWritten() || ctx.response().closed()) {
      ctx.response().reset(); // a partial response must not look complete
      return;
    }
    problem(router, ctx, status).header("Date", date()).send(ctx);
  }

  private static Problem problem(Router router, RoutingContext ctx, int status) {
    return switch (status) {
      case 404 ->
          Problem.of(404, ProblemType.NOT_FOUND, "Nothing exists at " + ctx.normalizedPath());
      case 405 -> {
        String allowed = allowed(router, ctx);
        yield Problem.of(
                405,
                ProblemType.METHOD_NOT_ALLOWED,
                ctx.request().method() + " is not supported here; allowed: " + allowed)
            .header("Allow", allowed);
      }
      case 413 ->
          Problem.of(
              413,
              ProblemType.BODY_TOO_LARGE,
              "The body exceeds the limit of this service. Nothing was executed.");
      case 415 ->
          Problem.of(
              415,
              ProblemType.UNSUPPORTED_MEDIA_TYPE,
              "Send the body as application/json. Nothing was executed.");
      default ->
          status < FIRST_SERVER_ERROR
              ? RequestProblems.invalid(status, "The request is malformed. Nothing was executed.")
              : Problem.of(
                  500,
                  ProblemType.INTERNAL_ERROR,
                  "The service has a defect. The outcome is unknown; a retry with the same idempotency"
                      + " key determines it.");
    };
  }

  /**
   * Lists the methods of all routes that match a path, in alphabetical order. Some routes match the
   * raw path.
   */
  private static String allowed(Router router, RoutingContext ctx) {
    Set<HttpMethod> methods = new TreeSet<>(Comparator.comparing(HttpMethod::name));
    for (Route route : router.getRoutes()) {
      Set<HttpMethod> ofRoute = route.methods();
      if (ofRoute != null
          && route.getPath() != null
          && (matches(route, ctx.normalizedPath()) || matches(route, ctx.request().path()))) {
        methods.addAll(ofRoute);
      }
    }
    return methods.stream().map(HttpMethod::name).collect(Collectors.joining(", "));
  }

  private static boolean matches(Route route, String path) {
    String[] template = route.getPath().split("/", -1);
    // Routes ignore a trailing slash.
    String exact = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    String[] segments = exact.split("/", -1);
    if (template.length != segments.length) {
      return false;
    }
    for (int i = 0; i < template.length; i++) {
      if (!template[i].startsWith(":") && !template[i].equals(segments[i])) {
        return false;
      }
    }
    return true;
  }
}
