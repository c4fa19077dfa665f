package dev.latchkey.web.impl;

import dev.latchkey.web.ResponsePolicy;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is known of a request once its key was found well-formed.
 *
 * @param key the client's key, unescaped
 * @param policy which answers of this route are stored
 * @param statusUrlPrefix what a client puts its key behind to ask about it, if the application says
 *     so
 */
public record KeyedRequest(String key, ResponsePolicy policy, Optional<String> statusUrlPrefix) {

  private static final Logger LOG = LoggerFactory.getLogger(KeyedRequest.class);
  private static final String KEYED = "dev.latchkey.web.keyed";

  /**
   * Finds it.
   *
   * @param ctx the request
   * @return empty on routes without a key, and while the key is missing or malformed
   */
  public static Optional<KeyedRequest> find(RoutingContext ctx) {
    return Optional.ofNullable(ctx.get(KEYED));
  }

  /**
   * Says where the client may ask about the key.
   *
   * @return a URL, if the application has such a page
   */
  public Optional<String> statusUrl() {
    return statusUrlPrefix.map(prefix -> prefix + IdempotencyKeySyntax.toPathSegment(key));
  }

  void put(RoutingContext ctx) {
    ctx.put(KEYED, this);
  }

  /**
   * Whether an answer with this status would be stored.
   *
   * @param status the status code
   * @return true when it is final
   */
  public boolean isFinal(int status) {
    try {
      return policy.isFinal(status);
    } catch (RuntimeException thrown) {
      LOG.error("the response policy threw at status {}: {}", status, thrown.toString());
      return false;
    }
  }
}
