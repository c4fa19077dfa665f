package dev.latchkey.core;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.IdempotencyStore;
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
import dev.latchkey.core.spi.Subscription;
import dev.latchkey.core.spi.Token;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** The connection of one process to the store: slow, broken or silent, as drawn from the seed. */
final class SimStoreConnection implements IdempotencyStore, Comparable<SimStoreConnection> {

  private static final long STORE_TIMEOUT_NANOS =
      NodeOptions.DEFAULT_STORE_TIMEOUT_MILLIS * SimWorld.MILLI;
  private static final Token NOBODY = new Token(0, 0);

  /** How a call fails: its result, if any, and whether it takes effect. */
  private enum Fault {
    REFUSED,
    LOST_ON_THE_WAY,
    ANSWER_LOST,
    SILENT_DONE,
    SILENT_LOST,
    LATE
  }

  private static final Set<Fault> TAKE_EFFECT =
      EnumSet.of(Fault.ANSWER_LOST, Fault.SILENT_DONE, Fault.LATE);

  private final SimWorld world;
  private final SimStore records;
  private final SimStoreFaults weather;
  private final SimProcess process;
  private final SimNotifications notices;
  private final Set<Token> givenBack = new HashSet<>();

  SimStoreConnection(SimWorld world, SimStore records, SimStoreFaults weather, SimProcess process) {
    this.world = world;
    this.records = records;
    this.weather = weather;
    this.process = process;
    notices = new SimNotifications(world, weather, process);
  }

  SimNotifications notices() {
    return notices;
  }

  @Override
  public int compareTo(SimStoreConnection other) {
    return Integer.compare(process.number, other.process.number);
  }

  private <R> Future<R> call(String what, ScopedKey key, Token about, Supplier<R> effect) {
    String name = weather.next(process.name + " " + what + " " + key.key());
    SplittableRandom dice = world.dice(name + " how");
    long there = weather.delayNanos(name + " is slow", dice);
    long back = weather.delayNanos(name + " is answered slowly", dice);
    process.trouble(there + back);
    Promise<R> promise = Promise.promise();
    if (world.fault(name + " fails", weather.callFault())) {
      Fault fault = Fault.values()[dice.nextInt(Fault.values().length)];
      world.tell(() -> process.name + ": " + what + " of " + key.key() + " fails, " + fault);
      tellOf(fault, promise, there + back, what);
      boolean late =
          fault == Fault.LATE && world.fault(name + " is late", weather.plan.lateEffect());
      long at = late ? there + dice.nextLong(1, 8_000) * SimWorld.MILLI : there;
      if (TAKE_EFFECT.contains(fault)) {
        unheard(fault, name, about, at, there + back, () -> take(what, key, effect));
      }
    } else {
      arrive(
          there,
          () -> {
            R result = take(what, key, effect);
            process.trouble(back);
            world.after(process, back, () -> promise.tryComplete(result));
          });
    }
    return promise.future();
  }

  private void tellOf(Fault fault, Promise<?> promise, long delayNanos, String what) {
    if (fault == Fault.SILENT_DONE || fault == Fault.SILENT_LOST) {
      process.trouble(STORE_TIMEOUT_NANOS);
      return;
    }
    process.trouble(STORE_TIMEOUT_NANOS / 2);
    Outcome told = fault == Fault.REFUSED ? Outcome.NOT_DONE : Outcome.UNKNOWN;
    StoreException failure = new StoreException(told, what + " failed");
    world.after(process, delayNanos, () -> promise.tryFail(failure));
  }

  /** A call takes effect, but its result is different or missing. */
  private void unheard(
      Fault fault, String name, Token about, long atNanos, long answerNanos, Runnable effect) {
    long toldAtNanos = fault == Fault.SILENT_DONE ? Long.MAX_VALUE : world.nowNanos() + answerNanos;
    arrive(
        atNanos,
        () -> {
          // Reordered copies may leave an orphaned claim.
          if (world.nowNanos() > toldAtNanos
              || atNanos > STORE_TIMEOUT_NANOS / 2
              || givenBack.contains(about)) {
            process.copied(about);
          }
          world.tell(() -> "store: " + name + " takes effect, but nobody hears of it");
          effect.run();
        });
  }

  private void arrive(long delayNanos, Runnable body) {
    world.after(SimWorld.NATURE, delayNanos, () -> weather.whenOpen(body));
  }

  private <R> R take(String what, ScopedKey key, Supplier<R> effect) {
    R result = effect.get();
    world.tell(() -> "store: " + what + " of " + key.key() + " by " + process.name + ": " + result);
    return result;
  }

  /**
   * Claims a key. A claim in transit while its earlier grant expires counts as lost, since no store
   * can recognise it.
   */
  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    long skew = world.has(SimMutant.LEASE_BY_NODE_CLOCK) ? process.skewMillis : 0;
    Claim claim = request.claim();
    String name = weather.next(process.name + " copy of claim " + claim.key().key());
    if (world.fault(name, weather.callFault())) {
      long later = world.dice(name + " how").nextLong(0, 3_000) * SimWorld.MILLI;
      arrive(later, () -> copyArrives(request, skew));
      process.copied(claim.token());
    }
    process.claimed(claim.token());
    long sentNanos = world.nowNanos();
    return call(
        "claim",
        claim.key(),
        claim.token(),
        () -> {
          boolean isLive = records.rows.find(claim.key()).isPresent();
          return !isLive && records.lives.hasExpiredSince(sentNanos, claim.token())
              ? new ClaimResult.Withdrawn()
              : records.claim(request, skew);
        });
  }

  /** Copies are late by less than the retention. */
  private void copyArrives(ClaimRequest request, long skew) {
    ScopedKey key = request.claim().key();
    if (records.rows.find(key).isPresent() || !records.lives.knows(request.claim().token())) {
      take("second copy of claim", key, () -> records.claim(request, skew));
    }
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    return call(
        "complete",
        claim.key(),
        claim.token(),
        () -> checked(claim, records.complete(claim, response, effects)));
  }

  @Override
  public Future<ReleaseResult> release(Claim claim) {
    givenBack.add(claim.token());
    return call(
        "release", claim.key(), claim.token(), () -> checked(claim, records.release(claim)));
  }

  private <R> R checked(Claim claim, R result) {
    if (result instanceof CompleteResult.LostLease || result == ReleaseResult.LOST_LEASE) {
      records.lives.lost(claim, records.rows.nowMillis());
    }
    return result;
  }

  @Override
  public Future<Set<Token>> renew(List<Claim> claims) {
    return call("renew", claims.get(0).key(), NOBODY, () -> records.renew(claims));
  }

  @Override
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    return call("recordStep", claim.key(), NOBODY, () -> records.recordStep(claim, name, result));
  }

  @Override
  public Future<KeyState> watch(ScopedKey key) {
    return call("watch", key, NOBODY, () -> records.watch(key, this));
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return call("lookup", key, NOBODY, () -> records.lookup(key));
  }

  @Override
  public Subscription subscribe(Handler<Notification> handler) {
    notices.subscriber(handler);
    return () -> notices.subscriber(notice -> {});
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    return Future.failedFuture(new IllegalStateException("the control engine never calls records"));
  }

  @Override
  public Future<PurgeResult> purgeExpired(int limit) {
    return Future.failedFuture(
        new IllegalStateException("the control engine never calls purgeExpired"));
  }

  @Override
  public Future<Void> probe() {
    return Future.succeededFuture();
  }
}
