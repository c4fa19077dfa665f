package dev.latchkey.core;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Expiry;
import io.vertx.core.buffer.Buffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A caller that runs an attempt, or is about to, on its own loop. It is answered once, however many
 * of the flow's parts try.
 */
final class Runner {

  private final Lot lot;
  private final Caller caller;
  private final AtomicBoolean answered = new AtomicBoolean();

  Runner(Lot lot, Caller caller) {
    this.lot = lot;
    this.caller = caller;
  }

  Lot lot() {
    return lot;
  }

  Caller caller() {
    return caller;
  }

  void run(Attempt attempt, Buffer body) {
    lot.loop().run(() -> caller.run(attempt, body));
  }

  void refused(EffectRefused refused) {
    lot.loop().run(() -> caller.refused(refused));
  }

  void rolledBack() {
    lot.loop().run(caller::rolledBack);
  }

  void displaced() {
    lot.loop().run(caller::displaced);
  }

  void answer(Verdict verdict) {
    once(() -> caller.answer(verdict));
  }

  void completed(Expiry expiry) {
    once(() -> caller.completed(expiry));
  }

  void released() {
    once(caller::released);
  }

  /** Lets somebody else answer the caller from now on; false when it was answered. */
  boolean handOver() {
    return !answered.getAndSet(true);
  }

  private void once(Runnable answer) {
    if (handOver()) {
      lot.loop().run(answer);
    }
  }
}
