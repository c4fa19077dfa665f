package dev.latchkey.core;

import dev.latchkey.core.AttemptState.State;
import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The one timer for all attempts of a node. It renews leases past their half in one call, and
 * responds to callers when the store times out or an attempt exceeds its limit. Requests need no
 * timers of their own. Idle when no attempt runs.
 */
final class AttemptMonitor {

  private static final long MAX_TICK_MILLIS = 250;
  private static final long MIN_TICK_MILLIS = 5;

  /** Leases per renewal call. */
  private static final int RENEW_BATCH = 1_000;

  private final IdempotencyEngine engine;
  private final NodeState node;
  private final AtomicBoolean awake = new AtomicBoolean();
  private volatile long tickMillis = MAX_TICK_MILLIS;

  AttemptMonitor(IdempotencyEngine engine, NodeState node) {
    this.engine = engine;
    this.node = node;
  }

  /** Ticks often enough to renew leases of this policy in time. */
  void registerPolicy(ClaimPolicy policy) {
    long wanted = Math.max(MIN_TICK_MILLIS, policy.leaseMillis() / 8);
    tickMillis = Math.min(tickMillis, wanted);
  }

  void wake() {
    if (awake.compareAndSet(false, true)) {
      node.environment.after(tickMillis, this::tick);
    }
  }

  private void tick() {
    awake.set(false);
    long nowNanos = node.environment.nowNanos();
    List<Attempt> due = new ArrayList<>();
    for (Attempt attempt : node.attempts.values()) {
      check(attempt, nowNanos);
      if (attempt.wantsRenewal(nowNanos)) {
        due.add(attempt);
      }
    }
    for (int from = 0; from < due.size(); from += RENEW_BATCH) {
      renew(due.subList(from, Math.min(due.size(), from + RENEW_BATCH)), nowNanos);
    }
    if (!node.attempts.isEmpty()) {
      wake();
    }
  }

  private void check(Attempt attempt, long nowNanos) {
    if (attempt.runNanos(nowNanos) >= attempt.operation().policy().runLimitMillis() * 1_000_000L) {
      engine.finisher.passRunLimit(attempt);
    }
    State state = attempt.state();
    if (state == State.RUNNING
        || state == State.ENDED
        || attempt.storeNeededNanos(nowNanos) < node.storeTimeoutNanos()) {
      return;
    }
    // A failed call is retried by its sender. Only calls without any result are retried here.
    boolean silent = attempt.pendingNanos(nowNanos) >= node.storeTimeoutNanos();
    if (state == State.CLAIMING) {
      engine.claimer.overdue(attempt, nowNanos, silent);
    } else {
      engine.finisher.overdue(attempt, state, silent);
    }
  }

  private void renew(List<Attempt> attempts, long nowNanos) {
    List<Claim> claims = new ArrayList<>(attempts.size());
    for (Attempt attempt : attempts) {
      attempt.lease().renewed(nowNanos - attempt.claim().leaseMillis() * 250_000L);
      claims.add(attempt.claim());
    }
    node.store.renew(claims).onSuccess(lost -> renewed(attempts, lost, nowNanos));
  }

  private void renewed(List<Attempt> attempts, Set<Token> lost, long askedAtNanos) {
    for (Attempt attempt : attempts) {
      if (lost.contains(attempt.claim().token())) {
        engine.lostLeaseHandler.whileRunning(attempt);
      } else {
        attempt.lease().renewed(askedAtNanos);
        attempt.entry().leaseEnds(askedAtNanos + attempt.claim().leaseMillis() * 1_000_000L);
      }
    }
  }
}
