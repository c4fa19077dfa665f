package dev.latchkey.core.spi;

/** A running subscription to a store's notices. */
@FunctionalInterface
public interface Subscription {

  /** Ends it; a notice that is already under way may still arrive. Idempotent. */
  void close();
}
