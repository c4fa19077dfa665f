package dev.latchkey.psp;

import io.vertx.core.http.HttpConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that breaks is told to whoever waits on it. Left without a handler of its own, it
 * would also be logged as an error, once per connection, whenever the other side dies.
 */
final class QuietConnections {
  private static final Logger LOG = LoggerFactory.getLogger(QuietConnections.class);

  private QuietConnections() {}

  static void accept(HttpConnection connection) {
    connection.exceptionHandler(e -> LOG.debug("a connection broke: {}", e.getMessage()));
  }
}
