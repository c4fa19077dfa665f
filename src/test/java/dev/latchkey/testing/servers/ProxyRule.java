package dev.latchkey.testing.servers;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** What a {@link CuttingProxy} does at the N-th message of a kind. */
final class ProxyRule {

  private final Predicate<PgMessage> matches;
  private final AtomicInteger left;
  private final CuttingProxy.Action action;
  private final CompletableFuture<PgMessage> happened = new CompletableFuture<>();

  ProxyRule(Predicate<PgMessage> matches, int nth, CuttingProxy.Action action) {
    this.matches = matches;
    this.left = new AtomicInteger(nth);
    this.action = action;
  }

  CuttingProxy.Action action() {
    return action;
  }

  CompletableFuture<PgMessage> happened() {
    return happened;
  }

  /** Whether this message is the one; true once at most. */
  boolean isDue(PgMessage message) {
    return matches.test(message) && left.decrementAndGet() == 0;
  }
}
