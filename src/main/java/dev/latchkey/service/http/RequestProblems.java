package dev.latchkey.service.http;

import dev.latchkey.web.Problem;
import dev.latchkey.web.ProblemType;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** Problems of requests that are refused before any handler executes. Stateless. */
public final class RequestProblems {

  private RequestProblems() {}

  /** An invalid request whose fault is not in a member of the body. */
  static Problem invalid(int status, String detail) {
    JsonObject error = new JsonObject().put("pointer", "").put("detail", detail);
    return Problem.of(status, ProblemType.INVALID_REQUEST, detail)
        .with("errors", new JsonArray().add(error));
  }

  /** The body cannot be split into chunks. */
  public static Problem malformedChunks() {
    return invalid(400, "The chunks of the body are malformed. Nothing was executed.")
        .header("Connection", "close");
  }

  /** The node drains; nothing was executed. */
  public static Problem shuttingDown() {
    return Problem.of(
            503,
            ProblemType.SHUTTING_DOWN,
            "This node is shutting down. Nothing was executed. Retry, or send the request to"
                + " another node.")
        .retryAfterSeconds(1);
  }

  /** Returns the path of a request target of any form (RFC 9112, section 3.2), "/" without one. */
  static String path(String target) {
    String path = new QueryStringDecoder(target, false).rawPath();
    int host = path.indexOf("://");
    int start = path.startsWith("/") || host < 0 ? 0 : path.indexOf('/', host + 3);
    return start >= 0 && path.startsWith("/", start) ? path.substring(start) : "/";
  }
}
