package dev.latchkey.psp;

import io.vertx.core.Promise;

/** Where an idempotency key of the simulator stands. A key names one call for ever. */
sealed interface KeyState {

  /** Returns the call that this key names. */
  PspCall call();

  /** Answered 503 once, by a flaky charge; the next attempt runs. */
  record Attempted(PspCall call) implements KeyState {}

  /** Begun, or done and not durable yet; duplicates wait for the answer. */
  record InFlight(PspCall call, Promise<PspAnswer> answer) implements KeyState {}

  /** Answered for good. */
  record Finished(PspCall call, PspAnswer answer) implements KeyState {}
}
