package dev.latchkey.client;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits retries to a share of requests, so that clients do not multiply the load on a service that
 * fails. A bucket of tokens begins full. Every retryable failure takes a token, every success
 * returns a part of one. Retries are allowed while the bucket is more than half full. Safe for use
 * by any thread.
 */
final class RetryBudget {

  private static final long TOKEN = 1_000;

  private final long full;
  private final long returned;
  private final AtomicLong left;

  RetryBudget(int tokens, double tokensPerSuccess) {
    full = tokens * TOKEN;
    returned = Math.round(tokensPerSuccess * TOKEN);
    left = new AtomicLong(full);
  }

  void succeeded() {
    left.updateAndGet(tokens -> Math.min(full, tokens + returned));
  }

  void failed() {
    left.updateAndGet(tokens -> Math.max(0, tokens - TOKEN));
  }

  boolean allowsRetry() {
    return left.get() > full / 2;
  }
}
