package dev.latchkey.service;

import dev.latchkey.web.Problem;
import dev.latchkey.web.ProblemType;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/** The problem of a request that cannot be understood, for whoever finds out. Stateless. */
final class InvalidRequests {

  private InvalidRequests() {}

  /** Describes a request of which no member of the body is wrong, but something else. */
  static Problem problem(int status, String detail) {
    JsonObject error = new JsonObject().put("pointer", "").put("detail", detail);
    return Problem.of(status, ProblemType.INVALID_REQUEST, detail)
        .with("errors", new JsonArray().add(error));
  }

  /** Says that a body cannot be taken apart into chunks. */
  static Problem malformedChunks() {
    return problem(400, "the body's chunks are malformed; nothing was done");
  }

  /** Finds the path in a request target of any form (RFC 9112, section 3.2); "/" if it has none. */
  static String path(String target) {
    String path = new QueryStringDecoder(target, false).rawPath();
    int host = path.indexOf("://");
    int start = path.startsWith("/") || host < 0 ? 0 : path.indexOf('/', host + 3);
    return start >= 0 && path.startsWith("/", start) ? path.substring(start) : "/";
  }
}
