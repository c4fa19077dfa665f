package dev.latchkey.core;

import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Expiry;
import io.vertx.core.buffer.Buffer;

/** A caller that forwards to another one; implementations override what differs. */
interface ForwardingCaller extends Caller {

  /** Returns the forwarding target. */
  Caller caller();

  @Override
  default Operation operation() {
    return caller().operation();
  }

  @Override
  default long waitMillis() {
    return caller().waitMillis();
  }

  @Override
  default Buffer body() {
    return caller().body();
  }

  @Override
  default void parked(Place place, boolean bodyIsKept) {
    caller().parked(place, bodyIsKept);
  }

  @Override
  default void run(Attempt attempt, Buffer body) {
    caller().run(attempt, body);
  }

  @Override
  default void adopt(Attempt attempt) {
    caller().adopt(attempt);
  }

  @Override
  default void respond(CallerResponse response) {
    caller().respond(response);
  }

  @Override
  default void completed(Expiry expiry) {
    caller().completed(expiry);
  }

  @Override
  default void released() {
    caller().released();
  }

  @Override
  default void effectRefused(EffectRefused refused) {
    caller().effectRefused(refused);
  }

  @Override
  default void rolledBack() {
    caller().rolledBack();
  }

  @Override
  default void resultDiscarded() {
    caller().resultDiscarded();
  }
}
