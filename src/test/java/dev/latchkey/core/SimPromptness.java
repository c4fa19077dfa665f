package dev.latchkey.core;

import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.Token;
import java.util.List;
import java.util.function.Predicate;

/**
 * What must happen promptly without faults: a completion or release wakes its waiters, a waiter
 * takes over when a lease ends, and a live owner keeps its claim.
 */
final class SimPromptness implements SimStore.Observer {

  private static final long SOON_NANOS = 1_000 * SimWorld.MILLI;

  private final SimWorld world;
  private final SimPlan plan;
  private final List<SimProcess> processes;
  private final SimStoreRows rows;
  private final SimKeyLives lives;

  SimPromptness(
      SimWorld world,
      SimPlan plan,
      List<SimProcess> processes,
      SimStoreRows rows,
      SimKeyLives lives) {
    this.world = world;
    this.lives = lives;
    this.plan = plan;
    this.processes = processes;
    this.rows = rows;
  }

  @Override
  public void leased(SimStoreRow row) {
    long endsMillis = row.leaseEndsMillis;
    long leftNanos = (endsMillis - rows.nowMillis()) * SimWorld.MILLI;
    long endsNanos = world.nowNanos() + leftNanos;
    Token token = row.token;
    world.after(
        SimWorld.NATURE,
        leftNanos + SOON_NANOS,
        () -> {
          boolean same = rows.find(row.life.key).filter(it -> it == row).isPresent();
          if (same && row.isHeldBy(token) && row.leaseEndsMillis == endsMillis) {
            nobodyWaits(row, endsNanos, it -> true, "waits though the lease of its owner is over");
          }
        });
  }

  @Override
  public void granted(SimStoreRow row) {
    long nowNanos = world.nowNanos();
    Token token = row.token;
    world.after(
        SimWorld.NATURE,
        SOON_NANOS,
        () -> {
          if (row.isHeldBy(token)) {
            nobodyWaits(
                row,
                nowNanos,
                it -> it.answersFor(token) && !it.runs(token),
                "waits, and nobody uses the claim of its node");
          }
        });
  }

  @Override
  public void settled(SimStoreRow row) {
    if (lives.storeHasCrashed()) {
      // An owner learns of a lost claim at its next renewal, and so do its waiters.
      return;
    }
    if (row.expiresMillis - rows.nowMillis() <= SOON_NANOS / SimWorld.MILLI) {
      // A waiter may read the key after it expired, and wait for the next attempt.
      return;
    }
    long nowNanos = world.nowNanos();
    Phase phase = row.phase;
    Token token = row.token;
    world.after(
        SimWorld.NATURE,
        SOON_NANOS,
        () -> {
          // After a release, another attempt may have begun, and its waiters wait for that.
          if (row.phase == phase && row.token.equals(token)) {
            nobodyWaits(
                row,
                nowNanos,
                it -> true,
                "still waits though its answer is stored or its key free");
          }
        });
  }

  private void nobodyWaits(
      SimStoreRow row, long sinceNanos, Predicate<SimProcess> on, String otherwise) {
    for (SimProcess process : processes) {
      if (process.isWellSince(sinceNanos) && on.test(process)) {
        for (SimCall call : process.calls) {
          Operation asked = call.operation();
          boolean waits =
              call.isParkedSince(sinceNanos)
                  && asked.key().equals(row.life.key)
                  && asked.fingerprint().equals(row.fingerprint);
          world.require(!waits, () -> call + " " + otherwise);
        }
      }
    }
  }

  @Override
  public void takenOver(SimStoreRow row, Token owner) {
    long nowNanos = world.nowNanos();
    if (plan.forgets()) {
      return;
    }
    long heldNanos = nowNanos - lives.firstGrantedNanos(owner);
    long leaseNanos = plan.terms().leaseMillis() * SimWorld.MILLI;
    for (SimProcess process : processes) {
      boolean lives =
          process.hasClaimed(owner)
              && process.answersFor(owner)
              && heldNanos < process.shortestRunLimitNanos()
              && process.isWellSince(nowNanos - leaseNanos);
      world.require(!lives, () -> process.name + " loses its claim though nothing is wrong");
    }
  }
}
