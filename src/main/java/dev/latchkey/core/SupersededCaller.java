package dev.latchkey.core;

import io.vertx.core.buffer.Buffer;

/**
 * A caller whose attempt was finished but had lost its lease, and that waits now for whoever took
 * over. Should that one die too, this caller has nothing left to run: it ends the new attempt with
 * what it had done already.
 */
record SupersededCaller(Caller caller, AttemptResult ending) implements ForwardingCaller {

  @Override
  public void respond(CallerResponse response) {
    if (response instanceof CallerResponse.KeyReused) {
      caller.resultDiscarded();
    }
    caller.respond(response);
  }

  @Override
  public void run(Attempt attempt, Buffer body) {
    caller.adopt(attempt);
    attempt.endAs(ending);
  }
}
