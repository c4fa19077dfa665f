package dev.latchkey.core;

/**
 * A parked caller that is handled like a new request again. It waits only for the rest of its wait.
 */
record RequeuedCaller(Caller caller, long waitMillis) implements ForwardingCaller {

  static RequeuedCaller of(Caller caller, long parkedNanos) {
    long leftMillis = Math.max(0, caller.waitMillis() - parkedNanos / 1_000_000L);
    Caller self = caller instanceof RequeuedCaller again ? again.caller() : caller;
    return new RequeuedCaller(self, leftMillis);
  }
}
