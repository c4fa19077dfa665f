package dev.latchkey.core;

import io.vertx.core.buffer.Buffer;

/**
 * A caller whose attempt was finished but had lost its lease, and that waits now for whoever took
 * over. Should that one die too, this caller has nothing left to run: it ends the new attempt with
 * what it had done already.
 */
record Loser(Caller caller, Ending ending) implements ForwardingCaller {

  @Override
  public void answer(Verdict verdict) {
    if (verdict instanceof Verdict.Reused) {
      caller.displaced();
    }
    caller.answer(verdict);
  }

  @Override
  public void run(Attempt attempt, Buffer body) {
    caller.adopt(attempt);
    attempt.endAs(ending);
  }
}
