package dev.latchkey.core;

import dev.latchkey.core.spi.Claim;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Releases orphaned claims: the store may hold them, but no attempt uses them. No caller waits for
 * the release, but an orphaned claim would block its key for a lease. Bounded in number by the
 * limit on running attempts, and in time by twice the run limit.
 */
final class OrphanedClaimReleaser {

  private final NodeState node;
  private final AtomicInteger pending = new AtomicInteger();

  OrphanedClaimReleaser(NodeState node) {
    this.node = node;
  }

  /** Releases the attempt's claim; retries until the store replies. */
  void giveBack(Attempt attempt) {
    boolean oneMore = pending.incrementAndGet() <= node.options.getMaxRunning();
    long limitNanos = oneMore ? 2 * attempt.operation().policy().runLimitMillis() * 1_000_000L : 0;
    send(attempt.claim(), node.environment.nowNanos() + limitNanos, 0);
  }

  private void send(Claim claim, long untilNanos, int failures) {
    node.bounded(node.store.release(claim))
        .onComplete(
            result -> pending.decrementAndGet(),
            failure -> failed(claim, untilNanos, failures + 1));
  }

  private void failed(Claim claim, long untilNanos, int failures) {
    if (node.environment.nowNanos() - untilNanos >= 0) {
      pending.decrementAndGet();
      return;
    }
    node.environment.after(
        Attempt.backOffMillis(failures), () -> send(claim, untilNanos, failures));
  }
}
