package dev.latchkey.web.capture;

import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.Future;
import java.util.List;

/** The ways on with an answer too large to capture. Called once, on the request's context. */
public interface OverflowContinuation {

  /**
   * Sends the head and what was held back, then passes everything through with the back-pressure of
   * the connection.
   *
   * @param extra headers to set beside the handler's own, over them where the names are the same
   * @return completes when the whole answer was sent, fails when the client has gone
   */
  Future<Void> stream(List<Header> extra);

  /** Swallows the answer. Another one may then be written to {@link CapturingResponse#real()}. */
  void drop();
}
