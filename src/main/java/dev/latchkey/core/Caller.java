package dev.latchkey.core;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Expiry;
import io.vertx.core.buffer.Buffer;

/**
 * The sender of a request. All methods are called on the caller's event loop. Exactly one of {@link
 * #respond}, {@link #completed} and {@link #released} is called, once.
 */
public interface Caller {

  /** Returns the requested operation. */
  Operation operation();

  /** Returns the maximum time to be parked in milliseconds; 0 for none. */
  long waitMillis();

  /** Returns the request body, for a later owner. */
  Buffer body();

  /** A place in the parking lot. */
  @FunctionalInterface
  interface Place {
    /**
     * Leaves without a response, after a hang-up. Called on the caller's event loop.
     *
     * @return false if the caller had already left, for a response or to execute
     */
    boolean leave();
  }

  /**
   * The caller is parked.
   *
   * @param place its place, to leave on a hang-up
   * @param bodyIsKept whether an equal body is kept, so that the caller should drop its own
   */
  void parked(Place place, boolean bodyIsKept);

  /**
   * Executes the operation. Must end in {@link Attempt#complete} or {@link Attempt#release}.
   *
   * @param attempt holds the claim
   * @param body of the request, equal to the caller's own
   */
  void run(Attempt attempt, Buffer body);

  /**
   * The caller's finished execution is completed under another claim than it began with.
   *
   * @param attempt holds the new claim, for a handler that must make another response
   */
  void adopt(Attempt attempt);

  /**
   * Responds with something other than the result of the caller's own execution.
   *
   * @param response the response
   */
  void respond(CallerResponse response);

  /**
   * The response of the caller's own execution is stored. Sends it to the client.
   *
   * @param expiry when the key expires
   */
  void completed(Expiry expiry);

  /** The key is released. Sends the response of its own execution, which is not stored. */
  void released();

  /**
   * An effect does not apply. The caller makes another response under the same claim, even if the
   * client already has a response.
   *
   * @param refused the effect and the reason
   */
  void effectRefused(EffectRefused refused);

  /**
   * The transaction made no response and was rolled back. The caller makes another response under
   * the same claim, even if the client already has a response.
   */
  void rolledBack();

  /**
   * The result of the execution was discarded because the key belongs to another request by now.
   * Called before the response, even if the client already has one; may be called twice.
   */
  void resultDiscarded();
}
