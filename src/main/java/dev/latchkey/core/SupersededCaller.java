package dev.latchkey.core;

import io.vertx.core.buffer.Buffer;

/**
 * A caller whose attempt finished after its lease was lost. It waits for the new owner. If it gets
 * to execute again, it completes the new attempt with its finished work.
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
