package dev.latchkey.core.spi;

/** An active subscription to a store's notifications. */
@FunctionalInterface
public interface Subscription {

  /** Ends the subscription. A notification in transit may still arrive. Idempotent. */
  void close();
}
