package dev.latchkey.psp;

import io.vertx.core.Promise;

/**
 * How far the call of an idempotency key has come at the simulator. A key names one call for ever.
 */
sealed interface PspCallState {

  /** Returns the call that this key names. */
  PspCall call();

  /** Answered 503 once, by a flaky charge; the next attempt runs. */
  record Attempted(PspCall call) implements PspCallState {}

  /** Begun, or done and not durable yet; duplicates wait for the answer. */
  record InFlight(PspCall call, Promise<PspAnswer> answer) implements PspCallState {}

  /** Answered for good. */
  record Finished(PspCall call, PspAnswer answer) implements PspCallState {}
}
