package dev.latchkey.web;

import dev.latchkey.web.impl.Claims;
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
 * An error answer as RFC 9457 {@code application/problem+json}. On a route with an idempotency key
 * it also says where the key stands and whether the same request may be sent again. Not safe for
 * use by several threads; made, sent, forgotten.
 */
public final class Problem {

  /** Where the idempotency key of a refused request stands. */
  public enum State {
    /** Somebody holds the claim. */
    IN_PROGRESS,
    /** An answer is stored. */
    COMPLETED,
    /** Never claimed, released, not known yet, or the store could not be asked. */
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
   * Describes a problem. It counts as retryable when its status is 503 or 429, unless said
   * otherwise.
   *
   * @param status the HTTP status code, 400 to 599
   * @param name the problem's name; its type is {@code /problems/NAME}
   * @param title what kind of problem it is, the same every time
   * @param detail what is wrong this time, and what to do; never holds secrets or bodies
   * @return the problem
   */
  public static Problem of(int status, String name, String title, String detail) {
    Problem problem = new Problem(status, name, title, detail);
    problem.retryable = status == 503 || status == 429;
    return problem;
  }

  /**
   * Describes a problem of a kind that is known here.
   *
   * @param status the HTTP status code, 400 to 599
   * @param type what kind of problem it is
   * @param detail what is wrong this time, and what to do; never holds secrets or bodies
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
   * Says when to come back.
   *
   * @param seconds at least 1
   * @return this
   */
  public Problem retryAfterSeconds(long seconds) {
    return header("Retry-After", Long.toString(Math.max(1, seconds)));
  }

  /**
   * Says where the key stands. Left out, it is unknown; in the answer of a handler that runs under
   * a claim it is completed when the answer is final.
   *
   * @param state where the key stands
   * @return this
   */
  public Problem state(State state) {
    this.state = state;
    stateIsSet = true;
    return this;
  }

  /**
   * Says whether the same request with the same key may yet succeed.
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
   * Answers the request with this problem; a HEAD request with its status and headers alone.
   *
   * @param ctx the request, whose response has not begun
   * @return completes when the answer is written
   */
  public Future<Void> send(RoutingContext ctx) {
    return send(ctx, ctx.response());
  }

  /**
   * Answers the request with this problem on a given response, such as the real one under a
   * captured one.
   *
   * @param ctx the request
   * @param response has not begun
   * @return completes when the answer is written
   */
  public Future<Void> send(RoutingContext ctx, HttpServerResponse response) {
    JsonObject body = toJson(ctx);
    response.setStatusCode(status);
    response.putHeader(HttpHeaders.CONTENT_TYPE, "application/problem+json");
    response.putHeader("Link", "<" + body.getString("type") + ">; rel=\"describedby\"");
    headers.forEach(response::putHeader);
    if (ctx.request().version() == HttpVersion.HTTP_2) {
      response.headers().remove(HttpHeaders.CONNECTION); // an error there (RFC 9113, 8.2.2)
    }
    // Over HTTP/2 a body would be sent, which breaks the protocol.
    return ctx.request().method().equals(HttpMethod.HEAD)
        ? response.end()
        : response.end(body.toBuffer());
  }

  /**
   * Writes the problem for a request that no router has seen, so that nothing is known of its key.
   *
   * @param instance the path of the request
   * @return the document
   */
  public JsonObject toJson(String instance) {
    JsonObject json = common(instance, ProblemType.DEFAULT_BASE_URI);
    members.forEach(json::put);
    return json;
  }

  private JsonObject common(String instance, String defaultBaseUri) {
    return new JsonObject()
        .put("type", baseUri.orElse(defaultBaseUri) + name)
        .put("title", title)
        .put("status", status)
        .put("detail", detail)
        .put("instance", instance);
  }

  private JsonObject toJson(RoutingContext ctx) {
    Optional<KeyedRequest> keyedRequest = KeyedRequest.find(ctx);
    String defaultBaseUri =
        keyedRequest
            .map(keyed -> keyed.options().getProblemBaseUri())
            .orElse(ProblemType.DEFAULT_BASE_URI);
    JsonObject json = common(ctx.request().path(), defaultBaseUri);
    keyedRequest.ifPresent(
        keyed -> {
          boolean stored = !stateIsSet && Claims.keeps(ctx, status);
          json.put("idempotency_key", keyed.key())
              .put("state", (stored ? State.COMPLETED : state).text())
              .put("retryable", retryable && !stored);
          keyed.statusUrl().ifPresent(url -> json.put("status_url", url));
        });
    members.forEach(json::put);
    return json;
  }
}
