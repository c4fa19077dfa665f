package dev.latchkey.core;

/**
 * Hears what a node does, for metrics. Called on whichever thread it happens on, often; must not
 * block and must not throw. All methods do nothing unless overridden.
 */
public interface IdempotencyListener {

  /** Hears nothing. */
  IdempotencyListener NONE = new IdempotencyListener() {};

  /** What a request to a keyed route came to; each counts under exactly one. */
  enum Outcome {
    /** Refused before the claim: key, body, schema, too many. */
    REJECTED,
    /** Ran here and was stored. */
    EXECUTED,
    /** Ran here or tried to, and was not stored; or waited for such an attempt. */
    FAILED,
    /** Answered at once from a stored record. */
    REPLAYED,
    /** Got the stored answer after waiting. */
    PARKED,
    /** 409 of the layer. */
    CONFLICT,
    /** 422 of the layer. */
    REUSED
  }

  /**
   * A request was answered.
   *
   * @param outcome what it came to
   */
  default void responded(Outcome outcome) {}

  /**
   * A parked request left the parkingLot, answered or hung up.
   *
   * @param parkedNanos how long it was parked
   */
  default void unparked(long parkedNanos) {}

  /**
   * A parked request was woken by the end of what it waited for, and answered.
   *
   * @param wakeNanos from the completion being known on this node to the answer being written
   */
  default void woken(long wakeNanos) {}

  /** An attempt began whose predecessor's lease had run out. */
  default void takenOver() {}

  /** This node lost a claim that it held; told once for each attempt. */
  default void leaseLost() {}

  /**
   * A request ran in vain: its key names another request by now, so that nothing of it is stored.
   * Told once for each.
   */
  default void resultDiscarded() {}

  /**
   * The store answered a call, or failed it.
   *
   * @param operation the SPI method's name, such as {@code claim}
   * @param nanos how long it took
   */
  default void storeCalled(String operation, long nanos) {}
}
