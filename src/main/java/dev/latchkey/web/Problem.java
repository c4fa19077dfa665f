package dev.latchkey.web;

import dev.latchkey.web.impl.IdempotencyImpl;
import dev.latchkey.web.impl.KeyedRequest;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * An error response as RFC 9457 {@code application/problem+json}. For a request with an idempotency
 * key it also carries the state of the key and whether a retry may succeed. Not thread-safe.
 */
public final class Problem {

  /** The state of a request's idempotency key. */
  public enum State {
    /** An attempt holds the claim. */
    IN_PROGRESS,
    /** A response is stored. */
    COMPLETED,
    /** Never claimed, released, not known yet, or the store could not be queried. */
    UNKNOWN;

    String text() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  private final int status;
  private final String name;
  private final String title;
  private final String detail;
  private final Map<String, Object> members = new LinkedHashMap<>();
  private final Map<String, String> headers = new LinkedHashMap<>();
  private State state = State.UNKNOWN;
  private boolean stateIsSet;
  private boolean retryable;
  private Optional<String> baseUri = Optional.empty();

  private Problem(int status, String name, String title, String detail) {
    this.status = status;
    this.name = name;
    this.title = title;
    this.detail = detail;
  }

  /**
   * Creates a problem. By default it is retryable if its status is 503 or 429.
   *
   * @param status the HTTP status code, 400 to 599
   * @param name the last part of the problem's type
   * @param title of the problem type, always the same
   * @param detail what is wrong and what to do, without secrets or bodies
   * @return the problem
   */
  public static Problem of(int status, String name, String title, String detail) {
    Problem problem = new Problem(status, name, title, detail);
    problem.retryable = status == 503 || status == 429;
    return problem;
  }

  /**
   * Creates a problem of a given type.
   *
   * @param status the HTTP status code, 400 to 599
   * @param type the problem type
   * @param detail what is wrong and what to do, without secrets or bodies
   * @return the problem, retryable as of {@link #of(int, String, String, String)}
   */
  public static Problem of(int status, ProblemType type, String detail) {
    return of(status, type.name(), type.title(), detail);
  }

  /** Returns the HTTP status code. */
  public int status() {
    return status;
  }

  /** Returns the problem's name, the last part of its type. */
  public String name() {
    return name;
  }

  /**
   * Adds a member of this problem type.
   *
   * @param member its name
   * @param value anything that {@link JsonObject} takes
   * @return this
   */
  public Problem with(String member, Object value) {
    members.put(member, value);
    return this;
  }

  /**
   * Adds a header.
   *
   * @param header its name
   * @param value its value
   * @return this
   */
  public Problem header(String header, String value) {
    headers.put(header, value);
    return this;
  }

  /**
   * Sets {@code Retry-After}. It is sent if the problem is retryable, or has status 429 or 503; by
   * default it is 1.
   *
   * @param seconds at least 1
   * @return this
   */
  public Problem retryAfterSeconds(long seconds) {
    return header("Retry-After", Long.toString(Math.max(1, seconds)));
  }

  /**
   * Sets the state of the key. By default it is completed in a final response of a handler that
   * holds a claim, and unknown otherwise.
   *
   * @param state the state
   * @return this
   */
  public Problem state(State state) {
    this.state = state;
    stateIsSet = true;
    return this;
  }

  /**
   * Sets whether the same request with the same key may yet succeed.
   *
   * @param retryable true if so
   * @return this
   */
  public Problem retryable(boolean retryable) {
    this.retryable = retryable;
    return this;
  }

  /**
   * Sets the part of the {@code type} before the name. By default it is that of the request's
   * {@link IdempotencyOptions}, or else {@link ProblemType#DEFAULT_BASE_URI}.
   *
   * @param uri such as {@code https://errors.example.com/}
   * @return this
   */
  public Problem baseUri(String uri) {
    baseUri = Optional.of(uri);
    return this;
  }

  /**
   * Sends this problem; to a HEAD request without its body.
   *
   * @param ctx the request, whose response has not begun
   * @return completes when the response is written
   */
  public Future<Void> send(RoutingContext ctx) {
    return send(ctx, ctx.response());
  }

  /**
   * Sends this problem on a given response, such as the real one under a captured one.
   *
   * @param ctx the request
   * @param response which has not begun
   * @return completes when the response is written
   */
  public Future<Void> send(RoutingContext ctx, HttpServerResponse response) {
    JsonObject body = toJson(ctx);
    response.setStatusCode(status);
    response.putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json");
    response.putHeader("Link", "<" + body.getString("type") + ">; rel=\"describedby\"");
    headers.forEach(response::putHeader);
    if (status != 503 && status != 429 && !body.getBoolean("retryable", false)) {
      response.headers().remove(HttpHeaders.RETRY_AFTER);
    } else if (!response.headers().contains(HttpHeaders.RETRY_AFTER)) {
      response.putHeader(HttpHeaders.RETRY_AFTER, "1");
    }
    if (ctx.request().version() == HttpVersion.HTTP_2) {
      response.headers().remove(HttpHeaders.CONNECTION); // forbidden there (RFC 9113, 8.2.2)
    }
    // Over HTTP/2 a body would be sent to a HEAD request.
    return ctx.request().method().equals(HttpMethod.HEAD)
        ? response.end()
        : response.end(body.toBuffer());
  }

  /**
   * Returns the document for a request that never reached a router, so its key is unknown.
   *
   * @param instance the path of the request
   * @return the document
   */
  public JsonObject toJson(String instance) {
    return toJson(instance, ProblemType.DEFAULT_BASE_URI, retryable);
  }

  private JsonObject toJson(String instance, String defaultBaseUri, boolean mayRetry) {
    JsonObject json =
        new JsonObject()
            .put("type", baseUri.orElse(defaultBaseUri) + name)
            .put("title", title)
            .put("status", status)
            .put("detail", detail)
            .put("instance", instance)
            .put("retryable", mayRetry);
    members.forEach(json::put);
    return json;
  }

  private JsonObject toJson(RoutingContext ctx) {
    String instance = ctx.request().path();
    Optional<KeyedRequest> keyedRequest = KeyedRequest.find(ctx);
    if (keyedRequest.isEmpty()) {
      return toJson(instance, ProblemType.DEFAULT_BASE_URI, retryable);
    }
    KeyedRequest keyed = keyedRequest.get();
    boolean stored = !stateIsSet && IdempotencyImpl.keeps(ctx, status);
    JsonObject json =
        toJson(instance, keyed.options().getProblemBaseUri(), retryable && !stored)
            .put("idempotency_key", keyed.key())
            .put("state", (stored ? State.COMPLETED : state).text());
    keyed.statusUrl().ifPresent(url -> json.put("status_url", url));
    return json;
  }
}
