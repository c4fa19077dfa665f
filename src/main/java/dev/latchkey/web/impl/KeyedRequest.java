package dev.latchkey.web.impl;

import dev.latchkey.web.IdempotencyOptions;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request whose key is well-formed.
 *
 * @param key the client's key, unescaped
 * @param options of its handler, not changed any more
 */
public record KeyedRequest(String key, IdempotencyOptions options) {

  private static final Logger LOG = LoggerFactory.getLogger(KeyedRequest.class);
  private static final String KEYED = "dev.latchkey.web.keyed";

  /**
   * Finds it.
   *
   * @param ctx the request
   * @return empty on routes without a key, and if the key is missing or malformed
   */
  public static Optional<KeyedRequest> find(RoutingContext ctx) {
    return Optional.ofNullable(ctx.get(KEYED));
  }

  void put(RoutingContext ctx) {
    ctx.put(KEYED, this);
  }

  /** Returns where the client can query the state of the key, if the application has a page. */
  public Optional<String> statusUrl() {
    return options
        .getStatusUrlPrefix()
        .map(prefix -> prefix + IdempotencyKeySyntax.toPathSegment(key));
  }

  /**
   * Returns whether a response with this status would be stored.
   *
   * @param status the status code
   */
  boolean isFinal(int status) {
    try {
      return options.getResponsePolicy().isFinal(status);
    } catch (RuntimeException thrown) {
      LOG.error("The response policy threw for status {}: {}", status, thrown.toString());
      return false;
    }
  }
}
