package dev.latchkey.idempotency.impl.flow;

import dev.latchkey.idempotency.spi.CompleteResult.EffectRefused;
import dev.latchkey.idempotency.spi.Expiry;
import io.vertx.core.buffer.Buffer;

/**
 * A caller whose attempt was finished but had lost its lease, and that waits now for whoever took
 * over. Should that one die too, this caller has nothing left to run: it ends the new attempt with
 * what it had done already.
 */
record Loser(Caller caller, Ending ending) implements Caller {

  @Override
  public Operation operation() {
    return caller.operation();
  }

  @Override
  public long waitMillis() {
    return caller.waitMillis();
  }

  @Override
  public Buffer body() {
    return caller.body();
  }

  @Override
  public void parked(Place place, boolean bodyIsKept) {
    caller.parked(place, bodyIsKept);
  }

  @Override
  public void run(Attempt attempt, Buffer body) {
    caller.adopt(attempt);
    attempt.endAs(ending);
  }

  @Override
  public void adopt(Attempt attempt) {
    caller.adopt(attempt);
  }

  @Override
  public void answer(Verdict verdict) {
    caller.answer(verdict);
  }

  @Override
  public void completed(Expiry expiry) {
    caller.completed(expiry);
  }

  @Override
  public void released() {
    caller.released();
  }

  @Override
  public void refused(EffectRefused refused) {
    caller.refused(refused);
  }

  @Override
  public void rolledBack() {
    caller.rolledBack();
  }
}
