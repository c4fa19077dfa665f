package dev.latchkey.psp;

import io.vertx.core.Future;

/** Sends a call to the PSP once. Safe for use by any thread. */
public interface PspTransport {

  /** The outcome of one send. */
  sealed interface Outcome {

    /** The PSP responded, with {@link PspResult.Unavailable} if the call may be retried. */
    record Responded(PspResult result) implements Outcome {}

    /** The PSP has not seen the call; the reason is fit for a log. */
    record NotSent(String reason) implements Outcome {}

    /** The call may have reached the PSP, but its response is lost: the effect is unknown. */
    record Lost(String reason) implements Outcome {}
  }

  /**
   * Sends a call.
   *
   * @param key the call's idempotency key
   * @param call the call
   * @param timeoutMillis limit for the response, positive
   * @return the outcome, within the timeout, on the caller's context; never fails
   */
  Future<Outcome> send(String key, PspCall call, long timeoutMillis);

  /** Returns this transport for the sends of one tenant, with its limits. */
  default PspTransport forTenant(String tenant) {
    return this;
  }

  /** Closes connections; completes when they are closed. */
  default Future<Void> close() {
    return Future.succeededFuture();
  }
}
