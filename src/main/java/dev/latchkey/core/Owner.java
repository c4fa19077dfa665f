package dev.latchkey.core;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Expiry;
import io.vertx.core.buffer.Buffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The caller that executes an attempt or is about to, on its own event loop. It gets one response,
 * even if several parts of the engine try to respond.
 */
final class Owner {

  private final ParkingLot parkingLot;
  private final Caller caller;
  private final AtomicBoolean responded = new AtomicBoolean();

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

  /** Takes over the duty to respond; returns false if the caller has a response. */
  boolean handOver() {
    return !responded.getAndSet(true);
  }

  private void once(Runnable response) {
    if (handOver()) {
      parkingLot.loop().run(response);
    }
  }
}
