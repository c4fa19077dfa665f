package dev.latchkey.core;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Expiry;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * A caller's request on its event loop. As the owner of an attempt it gets one response, even if
 * several parts of the engine try to respond. If it comes to execute although it has finished work
 * under a lost lease, it completes the new attempt with that work.
 */
class Request {

  final ParkingLot parkingLot;
  final Caller caller;

  /** Maximum time to be parked; less than the caller's own after it was parked before. */
  final long waitMillis;

  private final @Nullable AttemptResult finished;
  private boolean responded;

  Request(ParkingLot parkingLot, Caller caller, long waitMillis, @Nullable AttemptResult finished) {
    this.parkingLot = parkingLot;
    this.caller = caller;
    this.waitMillis = waitMillis;
    this.finished = finished;
  }

  Request(Request other) {
    this(other.parkingLot, other.caller, other.waitMillis, other.finished);
  }

  /** Returns this request without a response, to be handled again. */
  Request again(long leftMillis) {
    return new Request(parkingLot, caller, Math.max(0, leftMillis), finished);
  }

  /** Returns this request with the work that it finished under a lost lease. */
  Request superseded(AttemptResult result) {
    return new Request(parkingLot, caller, waitMillis, result);
  }

  Operation operation() {
    return caller.operation();
  }

  void run(Attempt attempt, Buffer body) {
    parkingLot.loop().run(() -> runHere(attempt, body));
  }

  private void runHere(Attempt attempt, Buffer body) {
    if (finished == null) {
      caller.run(attempt, body);
    } else {
      caller.adopt(attempt);
      attempt.endAs(finished);
    }
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
    once(() -> respondHere(response));
  }

  /** Responds on the event loop, where the caller is known to have no response. */
  void respondHere(CallerResponse response) {
    if (finished != null && response instanceof CallerResponse.KeyReused) {
      caller.resultDiscarded();
    }
    caller.respond(response);
  }

  void completed(Expiry expiry) {
    once(() -> caller.completed(expiry));
  }

  void released() {
    once(caller::released);
  }

  /** Takes over the duty to respond; returns false if the caller has a response. */
  synchronized boolean handOver() {
    boolean first = !responded;
    responded = true;
    return first;
  }

  private void once(Runnable response) {
    if (handOver()) {
      parkingLot.loop().run(response);
    }
  }
}
