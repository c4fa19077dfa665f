package dev.latchkey.web.capture;

import java.util.Optional;

/**
 * Receives the result of capturing a response. Exactly one method is called per round; {@link
 * CapturingResponse#begin} and each {@link CapturingResponse#discard} start a round. Called on the
 * request's context, possibly before the handler's own call returns.
 */
public interface CaptureListener {

  /**
   * The response is complete. Nothing of it was sent.
   *
   * @param response the handler's response
   */
  void captured(CapturedResponse response);

  /**
   * The body exceeds the limit. Nothing was sent yet. Later writes are held back, with the write
   * queue full, until the response is streamed or dropped.
   *
   * @param status the status code
   * @param location the {@code Location} header
   * @param response to be streamed or dropped
   */
  void oversized(int status, Optional<String> location, OversizedResponse response);

  /**
   * The handler reset the response or asked to upgrade the connection, so there will be no
   * response. Nothing was sent, and the connection is unchanged.
   *
   * @param why what the handler did
   */
  void aborted(Throwable why);
}
