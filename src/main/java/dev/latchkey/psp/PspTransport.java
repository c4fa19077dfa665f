package dev.latchkey.psp;

import io.vertx.core.Future;

/** Sends a call to the PSP, once. Safe for use by any thread. */
interface PspTransport {

  /** What came of one attempt. */
  sealed interface Attempt {

    /** The PSP answered; {@link PspResult.Unavailable} when it says not now. */
    record Answered(PspResult result) implements Attempt {}

    /** The call never left this process. */
    record NotSent(String detail) implements Attempt {}

    /** The call may have reached the PSP, and its answer never came: nobody knows. */
    record Lost(String detail) implements Attempt {}
  }

  /**
   * Sends a call.
   *
   * @param key the call's idempotency key
   * @param call what to do
   * @param timeoutMillis how long to wait for the answer, at most; positive
   * @return what came of it, within the timeout, on the caller's context; never fails
   */
  Future<Attempt> send(String key, PspCall call, long timeoutMillis);

  /** Lets go of connections. */
  Future<Void> close();
}
