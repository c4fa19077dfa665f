package dev.latchkey.core;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Expiry;
import io.vertx.core.buffer.Buffer;

/**
 * Somebody who sent a request and waits for its answer. All methods are called on the caller's
 * loop. Exactly one of {@link #respond}, {@link #completed} and {@link #released} is called, once.
 */
public interface Caller {

  /** Returns what is asked for. */
  Operation operation();

  /** Returns how long this caller is willing to be parked, in milliseconds; 0 for not at all. */
  long waitMillis();

  /** Returns the body of the request, for whoever takes over. */
  Buffer body();

  /** A place in the parkingLot. */
  @FunctionalInterface
  interface Place {
    /**
     * The caller hung up: it leaves at once and is not answered. Called on the caller's loop.
     *
     * @return false when it had left already, answered or to run
     */
    boolean leave();
  }

  /**
   * The caller is parked.
   *
   * @param place where; to be left on a hang-up
   * @param bodyIsKept whether the parkingLot keeps a body equal to the caller's, which should let
   *     go of its own
   */
  void parked(Place place, boolean bodyIsKept);

  /**
   * Runs the operation under a claim. Ends in {@link Attempt#complete} or {@link Attempt#release}.
   *
   * @param attempt the claim that is held
   * @param body of the request, equal to this caller's own
   */
  void run(Attempt attempt, Buffer body);

  /**
   * The caller's own run is over, but ends under another claim than it began with.
   *
   * @param attempt the claim that is held now, for a handler that has to answer anew
   */
  void adopt(Attempt attempt);

  /**
   * Answers with something other than the outcome of a run of its own.
   *
   * @param response what to answer
   */
  void respond(CallerResponse response);

  /**
   * The outcome of its own run is stored: it goes to the client.
   *
   * @param expiry when the key will be free
   */
  void completed(Expiry expiry);

  /** The outcome of its own run is not to be stored, and the key is released: it goes out. */
  void released();

  /**
   * An effect of its run does not apply: it answers anew under the same claim. Also called when the
   * client was told something else meanwhile.
   *
   * @param refused which, and why
   */
  void effectRefused(EffectRefused refused);

  /**
   * The work of its transaction gave no answer to store, and nothing of it was written: it answers
   * anew under the same claim. Also called when the client was told something else meanwhile.
   */
  void rolledBack();

  /**
   * Its run was in vain: the store, which had forgotten this caller's claim or outlived its key,
   * holds another request under it, so nothing of the run is stored. Called before the caller is
   * told so, also when it was told something else meanwhile; a second call says nothing new.
   */
  void resultDiscarded();
}
