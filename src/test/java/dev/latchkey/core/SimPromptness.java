package dev.latchkey.core;

import dev.latchkey.core.spi.Token;
import java.util.List;

/**
 * What must happen promptly without faults: a completion wakes its waiters, a waiter takes over
 * when a lease ends, and a live owner keeps its claim.
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
            nobodyWaits(row, endsNanos, "waits though the lease of its owner is over");
          }
        });
  }

  @Override
  public void completed(SimStoreRow row) {
    if (lives.storeHasCrashed()) {
      // An owner learns of a lost claim at its next renewal, and so do its waiters.
      return;
    }
    if (row.expiresMillis - rows.nowMillis() <= SOON_NANOS / SimWorld.MILLI) {
      // A waiter may read the key after it expired, and wait for the next attempt.
      return;
    }
    long nowNanos = world.nowNanos();
    world.after(
        SimWorld.NATURE,
        SOON_NANOS,
        () -> nobodyWaits(row, nowNanos, "still waits though its answer is stored"));
  }

  private void nobodyWaits(SimStoreRow row, long sinceNanos, String otherwise) {
    for (SimProcess process : processes) {
      if (process.isWellSince(sinceNanos)) {
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
    long limitNanos = plan.terms().runLimitMillis() * SimWorld.MILLI;
    if (plan.forgets() || nowNanos - lives.firstGrantedNanos(owner) >= limitNanos) {
      return;
    }
    long leaseNanos = plan.terms().leaseMillis() * SimWorld.MILLI;
    for (SimProcess process : processes) {
      boolean lives =
          process.hasClaimed(owner)
              && process.answersFor(owner)
              && process.isWellSince(nowNanos - leaseNanos);
      world.require(!lives, () -> process.name + " loses its claim though nothing is wrong");
    }
  }
}
