package dev.latchkey.core;

/**
 * A caller that was parked, and has to arrive anew: it is willing to wait for what is left of its
 * patience, not for all of it again.
 */
record RequeuedCaller(Caller caller, long waitMillis) implements ForwardingCaller {

  static RequeuedCaller of(Caller caller, long parkedNanos) {
    long leftMillis = Math.max(0, caller.waitMillis() - parkedNanos / 1_000_000L);
    Caller self = caller instanceof RequeuedCaller again ? again.caller() : caller;
    return new RequeuedCaller(self, leftMillis);
  }
}
