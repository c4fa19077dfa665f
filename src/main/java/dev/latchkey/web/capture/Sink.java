package dev.latchkey.web.capture;

import java.util.Optional;

/**
 * Told what became of a captured response: exactly one of the three per round, a round beginning
 * with {@link CapturingResponse#begin} and with each {@link CapturingResponse#discard}. Always
 * called on the request's context, perhaps before the handler's own call returns.
 */
public interface Sink {

  /**
   * The whole answer is there and nothing of it was sent.
   *
   * @param answer what the handler answered
   */
  void captured(Answer answer);

  /**
   * The body passes the limit; nothing was sent yet. What the handler still writes is held back,
   * with the write queue full, until one of the two ways on is taken.
   *
   * @param status of the answer
   * @param location its {@code Location}
   * @param go the ways on
   */
  void overflow(int status, Optional<String> location, OverflowContinuation go);

  /**
   * The handler reset the response, or asked to upgrade the connection, and will not answer.
   * Nothing was sent, the connection is as it was.
   *
   * @param why what it did
   */
  void aborted(Throwable why);
}
