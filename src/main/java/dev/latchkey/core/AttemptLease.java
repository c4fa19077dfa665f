package dev.latchkey.core;

import dev.latchkey.core.spi.Expiry;

/**
 * The lease of an attempt as far as its node knows, and how long the store keeps the key. Times are
 * on the node's monotonic clock. Safe for use by any thread.
 */
final class AttemptLease {

  private final long leaseMillis;
  private boolean granted;
  private boolean lost;
  private boolean lossReported;
  private boolean pastRunLimit;
  private long renewedAtNanos;
  private long keyFreeAtNanos;

  AttemptLease(long leaseMillis) {
    this.leaseMillis = leaseMillis;
  }

  /** Starts the lease; returns its earliest end. */
  synchronized long grant(long startNanos) {
    granted = true;
    renewedAtNanos = startNanos;
    return startNanos + leaseMillis * 1_000_000L;
  }

  synchronized void renewed(long nowNanos) {
    renewedAtNanos = nowNanos;
  }

  /** Returns whether half of the lease is over and renewals have not stopped. */
  synchronized boolean isDue(long nowNanos) {
    return granted && !lost && nowNanos - renewedAtNanos >= leaseMillis * 500_000L;
  }

  /** Stops renewals; returns false if they had stopped. */
  synchronized boolean lose() {
    boolean first = !lost;
    lost = true;
    return first;
  }

  /** Returns true once: both a renewal and the ending may find the claim lost. */
  synchronized boolean reportLoss() {
    boolean first = !lossReported;
    lossReported = true;
    return first;
  }

  /** Stops renewals at the run limit; returns true once. */
  synchronized boolean passRunLimit() {
    boolean first = !pastRunLimit;
    pastRunLimit = true;
    lost = true;
    return first;
  }

  /** The store lost the claim and granted it again. */
  synchronized void regain(long nowNanos) {
    lost = pastRunLimit;
    renewedAtNanos = nowNanos;
  }

  /** Leaves a margin of a sixty-fourth: this node's clock may be slower than the store's. */
  synchronized void keepKey(Expiry expiry, long askedAtNanos) {
    long keptNanos = expiry.freeAtNanos(askedAtNanos) - askedAtNanos;
    keyFreeAtNanos = askedAtNanos + keptNanos - keptNanos / 64;
  }

  /** Returns the earliest time at which the store may free the key. */
  synchronized long keyFreeAtNanos() {
    return keyFreeAtNanos;
  }
}
