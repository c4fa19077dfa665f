package dev.latchkey.core;

/**
 * Observes a node, for metrics. Called often, on any thread; must not block or throw. All methods
 * do nothing by default.
 */
public interface IdempotencyListener {

  /** Does nothing. */
  IdempotencyListener NONE = new IdempotencyListener() {};

  /** The outcome of a request to a keyed route. Each request has exactly one. */
  enum Outcome {
    /** Rejected before the claim: key, body, schema, limits. */
    REJECTED,
    /** Executed here and stored. */
    EXECUTED,
    /** Executed here without a stored response, or waited for such an attempt. */
    FAILED,
    /** Got the stored response without waiting. */
    REPLAYED,
    /** Got the stored response after waiting. */
    PARKED,
    /** Got a 409 from this library. */
    CONFLICT,
    /** Got a 422 from this library. */
    REUSED
  }

  /**
   * A request got its response.
   *
   * @param outcome the outcome of the request
   */
  default void responded(Outcome outcome) {}

  /**
   * A parked request left the parking lot, with a response or after a hang-up.
   *
   * @param parkedNanos time parked
   */
  default void unparked(long parkedNanos) {}

  /**
   * A parked request got its response because the awaited attempt ended.
   *
   * @param wakeNanos time from when this node learned of the end until the response
   */
  default void woken(long wakeNanos) {}

  /** An attempt took over after the previous lease expired. */
  default void takenOver() {}

  /** This node lost a claim. Called once per attempt. */
  default void leaseLost() {}

  /**
   * The result of an attempt was discarded because its key belongs to another request by now.
   * Called once per request.
   */
  default void resultDiscarded() {}

  /** How a store call ended. */
  enum StoreCall {
    /** The store responded. */
    OK,
    /** It failed without effect. */
    NOT_DONE,
    /** It failed and may have taken effect. */
    UNKNOWN
  }

  /**
   * A store call succeeded or failed.
   *
   * @param operation the name of the store method, such as {@code claim}
   * @param result how it ended
   * @param nanos duration of the call
   */
  default void storeCalled(String operation, StoreCall result, long nanos) {}

  /** A limit of a node, by the option that sets it. */
  enum Limit {
    /** Concurrent attempts. */
    RUNNING,
    /** Concurrent attempts of one tenant. */
    RUNNING_PER_TENANT,
    /** Parked requests of the node. */
    PARKED,
    /** Parked requests of one tenant. */
    PARKED_PER_TENANT,
    /** Parked requests with one key. */
    PARKED_PER_KEY,
    /** Bytes held for requests. */
    HELD,
    /** Bytes held for requests of one tenant. */
    HELD_PER_TENANT
  }

  /**
   * A request was refused because a limit was reached.
   *
   * @param limit the limit
   */
  default void limitReached(Limit limit) {}

  /**
   * The replay cache was queried.
   *
   * @param hit whether it held a response
   */
  default void replayCacheQueried(boolean hit) {}

  /** A request to a keyed route had no key. */
  default void keyMissing() {}
}
