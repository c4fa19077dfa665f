package dev.latchkey.store.memory;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.PurgeResult;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoreException.Outcome;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.core.spi.Subscription;
import dev.latchkey.core.spi.Token;
import dev.latchkey.net.MemoryBudget;
import dev.latchkey.store.ClaimStore;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A store in the memory of this process: for a single node, lost when it ends. Keeps encoded bytes.
 * When its budget is spent it rejects new keys; it never evicts an unexpired key.
 *
 * <p>Safe for use by any thread. One lock makes every transition atomic, effects included. Every
 * future is complete when it is returned. Subscribers are notified on the completing thread,
 * outside the lock.
 *
 * <p>Expired records keep their memory until {@link #purgeExpired} or until new keys need it.
 */
public final class MemoryStore implements ClaimStore {

  private static final CompleteResult LOST = new CompleteResult.LostLease();
  private static final KeyState ABSENT = new KeyState.Absent();

  /** The end of an attempt, and whether subscribers must be notified. */
  private record End<R>(R result, boolean awaited) {
    static <R> End<R> unchanged(R result) {
      return new End<>(result, false);
    }
  }

  private final Subscribers subscribers = new Subscribers();
  private final RecordTable table;
  private final EffectTarget effects;

  private MemoryStore(RecordTable table, EffectTarget effects) {
    this.table = table;
    this.effects = effects;
  }

  /**
   * Makes a store with the system clock.
   *
   * @param budget heap that the store may use, shared with other data in memory
   * @param effects applies the effects of completions
   * @return the empty store
   */
  public static MemoryStore create(MemoryBudget budget, EffectTarget effects) {
    return create(budget, effects, InstantSource.system());
  }

  /**
   * Makes a store with the given clock.
   *
   * @param budget heap that the store may use, shared with other data in memory
   * @param effects applies the effects of completions
   * @param clock decides leases and expiry, in milliseconds; read on any thread
   * @return the empty store
   */
  public static MemoryStore create(MemoryBudget budget, EffectTarget effects, InstantSource clock) {
    return new MemoryStore(new RecordTable(budget, clock), effects);
  }

  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    return Future.succeededFuture(table.claim(request));
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> toWrite) {
    byte[] encoded = StoredResponseCodec.encode(response);
    try {
      return settle(
          claim.key(),
          LOST,
          (record, nowMillis) -> complete(record, claim, encoded, toWrite, nowMillis));
    } catch (StoreException broken) {
      return Future.failedFuture(broken);
    }
  }

  private End<CompleteResult> complete(
      MemoryRecord record, Claim claim, byte[] encoded, List<Effect> toWrite, long nowMillis) {
    if (record.wasCompletedBy(claim.token())) {
      return End.unchanged(new CompleteResult.Completed(record.expiry(nowMillis)));
    }
    if (!record.isHeldBy(claim.token())) {
      return End.unchanged(LOST);
    }
    Optional<EffectRefused> refused = write(toWrite);
    if (refused.isPresent()) {
      return End.unchanged(refused.get());
    }
    record.complete(encoded, claim.leaseMillis(), nowMillis);
    return new End<>(new CompleteResult.Completed(record.expiry(nowMillis)), record.takeAwaited());
  }

  private Optional<EffectRefused> write(List<Effect> toWrite) {
    if (toWrite.isEmpty()) {
      return Optional.empty();
    }
    try {
      return effects.apply(toWrite);
    } catch (RuntimeException broken) {
      throw new StoreException(
          Outcome.UNKNOWN, "complete: the effect target failed: " + broken, broken);
    }
  }

  @Override
  public Future<ReleaseResult> release(Claim claim) {
    return settle(
        claim.key(),
        ReleaseResult.LOST_LEASE,
        (record, nowMillis) -> {
          if (record.wasReleasedBy(claim.token())) {
            return End.unchanged(ReleaseResult.RELEASED);
          }
          if (!record.isHeldBy(claim.token())) {
            return End.unchanged(ReleaseResult.LOST_LEASE);
          }
          record.release(nowMillis);
          return new End<>(ReleaseResult.RELEASED, record.takeAwaited());
        });
  }

  @Override
  public Future<Boolean> revoke(Claim claim) {
    Optional<MemoryRecord> revoked = table.revoke(claim);
    if (revoked.isPresent() && revoked.get().takeAwaited()) {
      subscribers.notifySettled(claim.key());
    }
    return Future.succeededFuture(revoked.isPresent());
  }

  @Override
  public Future<Set<Token>> renew(List<Claim> claims) {
    Set<Token> lost = new HashSet<>();
    for (Claim claim : claims) {
      boolean held =
          table.inRecord(
              claim.key(), false, (record, nowMillis) -> renew(record, claim, nowMillis));
      if (!held) {
        lost.add(claim.token());
      }
    }
    return Future.succeededFuture(Set.copyOf(lost));
  }

  private boolean renew(MemoryRecord record, Claim claim, long nowMillis) {
    boolean held = record.isHeldBy(claim.token());
    if (held) {
      record.renew(claim.leaseMillis(), nowMillis);
    }
    return held;
  }

  @Override
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    if (name.isEmpty() || name.length() > MAX_STEP_NAME_CHARS) {
      return Future.failedFuture(
          new StoreException(
              Outcome.NOT_DONE,
              "recordStep: the name has "
                  + name.length()
                  + " characters; allowed are 1 to "
                  + MAX_STEP_NAME_CHARS
                  + ". A retry cannot succeed."));
    }
    return Future.succeededFuture(
        table.inRecord(
            claim.key(),
            StepResult.LOST_LEASE,
            (record, nowMillis) ->
                record.isHeldBy(claim.token())
                    ? record.recordStep(name, result)
                    : StepResult.LOST_LEASE));
  }

  @Override
  public Future<KeyState> watch(ScopedKey key) {
    return Future.succeededFuture(
        table.inRecord(
            key,
            ABSENT,
            (record, nowMillis) -> {
              record.await();
              return record.state(nowMillis);
            }));
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return Future.succeededFuture(table.inRecord(key, ABSENT, MemoryRecord::state));
  }

  @Override
  public Subscription subscribe(Handler<Notification> handler) {
    return subscribers.subscribe(handler);
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    return Future.succeededFuture(table.records(tenant, key, limit));
  }

  @Override
  public Future<PurgeResult> purgeExpired(int limit) {
    return Future.succeededFuture(PurgeResult.of(table.purge(limit), limit));
  }

  @Override
  public Future<Void> probe() {
    return Future.succeededFuture();
  }

  /** Ends an attempt, then notifies subscribers outside the lock. */
  private <R> Future<R> settle(
      ScopedKey key, R ifAbsent, RecordTable.Transition<End<R>> transition) {
    End<R> end = table.inRecord(key, End.unchanged(ifAbsent), transition);
    if (end.awaited()) {
      subscribers.notifySettled(key);
    }
    return Future.succeededFuture(end.result());
  }
}
