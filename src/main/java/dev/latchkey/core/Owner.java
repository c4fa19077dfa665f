package dev.latchkey.core;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Expiry;
import io.vertx.core.buffer.Buffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A caller that runs an attempt, or is about to, on its own loop. It is answered once, however many
 * of the engine's parts try.
 */
final class Owner {

  private final ParkingLot parkingLot;
  private final Caller caller;
  private final AtomicBoolean answered = new AtomicBoolean();

  Owner(ParkingLot parkingLot, Caller caller) {
    this.parkingLot = parkingLot;
    this.caller = caller;
  }

  ParkingLot parkingLot() {
    return parkingLot;
  }

  Caller caller() {
    return caller;
  }

  void run(Attempt attempt, Buffer body) {
    parkingLot.loop().run(() -> caller.run(attempt, body));
  }

  void effectRefused(EffectRefused refused) {
    parkingLot.loop().run(() -> caller.effectRefused(refused));
  }

  void rolledBack() {
    parkingLot.loop().run(caller::rolledBack);
  }

  void resultDiscarded() {
    parkingLot.loop().run(caller::resultDiscarded);
  }

  void respond(CallerResponse response) {
    once(() -> caller.respond(response));
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
      parkingLot.loop().run(answer);
    }
  }
}
