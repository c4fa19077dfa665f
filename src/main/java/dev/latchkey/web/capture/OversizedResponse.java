package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.Future;
import java.util.List;

/**
 * A response too large to capture. One of the methods is called, once, on the request's context.
 */
public interface OversizedResponse {

  /**
   * Sends the head and the body held back so far, then passes further writes through with the
   * back-pressure of the connection.
   *
   * @param extra headers to add; they replace the handler's headers of the same name
   * @return completes when the whole response is sent, fails if the client disconnected
   */
  Future<Void> stream(List<Header> extra);

  /** Discards the response. Another may then be written to {@link CapturingResponse#real()}. */
  void drop();
}
