package dev.latchkey.core;

import dev.latchkey.core.spi.Claim;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gives back claims that the store may hold for an attempt that makes no use of them. Nobody waits
 * for that, but as long as the store does not hear it, such a ghost keeps its key from everybody
 * for a lease. Bounded in number, and in time by twice the run limit.
 */
final class OrphanedClaimReleaser {

  private final NodeState node;
  private final AtomicInteger pending = new AtomicInteger();

  OrphanedClaimReleaser(NodeState node) {
    this.node = node;
  }

  /** Releases the attempt's claim, again and again until the store has answered. */
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
