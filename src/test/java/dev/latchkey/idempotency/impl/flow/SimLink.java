package dev.latchkey.idempotency.impl.flow;

import dev.latchkey.idempotency.NodeOptions;
import dev.latchkey.idempotency.spi.Claim;
import dev.latchkey.idempotency.spi.ClaimRequest;
import dev.latchkey.idempotency.spi.ClaimResult;
import dev.latchkey.idempotency.spi.CompleteResult;
import dev.latchkey.idempotency.spi.Effect;
import dev.latchkey.idempotency.spi.Expiry;
import dev.latchkey.idempotency.spi.IdempotencyStore;
import dev.latchkey.idempotency.spi.KeyRecord;
import dev.latchkey.idempotency.spi.KeyState;
import dev.latchkey.idempotency.spi.Notice;
import dev.latchkey.idempotency.spi.ReleaseResult;
import dev.latchkey.idempotency.spi.ScopedKey;
import dev.latchkey.idempotency.spi.StepResult;
import dev.latchkey.idempotency.spi.StoreException;
import dev.latchkey.idempotency.spi.StoreException.Outcome;
import dev.latchkey.idempotency.spi.StoredResponse;
import dev.latchkey.idempotency.spi.Subscription;
import dev.latchkey.idempotency.spi.Token;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** One process's way to the store: slow, broken, silent or deaf, as the seed wants it. */
final class SimLink implements IdempotencyStore, Comparable<SimLink> {

  private static final long STORE_TIMEOUT_NANOS =
      NodeOptions.DEFAULT_STORE_TIMEOUT_MILLIS * SimWorld.MILLI;

  private final SimWorld world;
  private final SimRecords records;
  private final SimStoreWeather weather;
  private final SimProcess process;
  private Handler<Notice> subscriber = notice -> {};
  private boolean missedSomething;
  private boolean lastIsFaulty;
  private Token claiming = new Token(0, 0);

  SimLink(SimWorld world, SimRecords records, SimStoreWeather weather, SimProcess process) {
    this.world = world;
    this.records = records;
    this.weather = weather;
    this.process = process;
  }

  @Override
  public int compareTo(SimLink other) {
    return Integer.compare(process.number, other.process.number);
  }

  private <R> Future<R> call(String what, ScopedKey key, Supplier<R> effect) {
    weather.counts.merge(key.key() + " " + process.name + " " + what, 1, Integer::sum);
    Promise<R> promise = Promise.promise();
    boolean faulty = world.chance(weather.callFault());
    long there = weather.delayNanos();
    long back = weather.delayNanos();
    lastIsFaulty = faulty;
    if (!faulty) {
      arrive(there, () -> answer(back, promise, what, key, effect));
      return promise.future();
    }
    int kind = (int) world.between(0, 6);
    boolean takesEffect = kind == 2 || kind == 3;
    boolean silent = (kind == 3 || kind == 4) && !what.equals("recordStep");
    Outcome outcome = kind == 0 ? Outcome.NOT_DONE : Outcome.UNKNOWN;
    if (takesEffect || kind == 5) {
      boolean late = kind == 5 && world.chance(weather.plan.lateEffect());
      long at = late ? there + world.between(1, 8_000) * SimWorld.MILLI : there;
      long toldAtNanos = silent ? Long.MAX_VALUE : world.nowNanos() + there + back;
      Token about = claiming;
      arrive(
          at,
          () -> {
            // Copies that overtake each other may leave a claim of which nobody ever hears.
            if (world.nowNanos() > toldAtNanos || there > STORE_TIMEOUT_NANOS / 2) {
              process.copied(about);
            }
            take(what + " (answer lost)", key, effect);
          });
    }
    world.tell(
        () ->
            process.name
                + ": "
                + what
                + " of "
                + key.key()
                + (silent ? " will not be answered" : " fails, " + outcome));
    if (!silent) {
      boolean certain = world.mutant == SimMutant.GHOST_LEFT && what.equals("claim");
      Outcome told = certain ? Outcome.NOT_DONE : outcome;
      world.after(
          process, there + back, () -> promise.tryFail(new StoreException(told, what + " failed")));
    }
    return promise.future();
  }

  private void arrive(long delayNanos, Runnable body) {
    world.after(SimWorld.NATURE, delayNanos, () -> weather.whenOpen(body));
  }

  private <R> R take(String what, ScopedKey key, Supplier<R> effect) {
    R result = effect.get();
    world.tell(() -> "store: " + what + " of " + key.key() + " by " + process.name + ": " + result);
    return result;
  }

  private <R> void answer(
      long back, Promise<R> promise, String what, ScopedKey key, Supplier<R> effect) {
    R result = take(what, key, effect);
    world.after(process, back, () -> promise.tryComplete(result));
  }

  @Override
  public Future<ClaimResult> claim(ClaimRequest request) {
    long skew = world.mutant == SimMutant.LEASE_BY_NODE_CLOCK ? process.skewMillis : 0;
    ScopedKey key = request.claim().key();
    if (world.chance(weather.callFault())) {
      long later = weather.delayNanos() + world.between(0, 3_000) * SimWorld.MILLI;
      arrive(later, () -> copyArrives(request, skew));
      process.copied(request.claim().token());
    }
    process.claimed(request.claim().token());
    claiming = request.claim().token();
    return call("claim", key, () -> records.claim(request, skew));
  }

  /** Copies are late, but not by a whole retention: none finds that its key has expired. */
  private void copyArrives(ClaimRequest request, long skew) {
    ScopedKey key = request.claim().key();
    if (records.find(key).isPresent() || !records.knows(request.claim().token())) {
      take("second copy of claim", key, () -> records.claim(request, skew));
    }
  }

  @Override
  public Future<CompleteResult> complete(
      Claim claim, StoredResponse response, List<Effect> effects) {
    Supplier<CompleteResult> effect = () -> checked(claim, records.complete(claim, response));
    if (world.mutant == SimMutant.ANSWER_BEFORE_COMMIT) {
      arrive(500 * SimWorld.MILLI, effect::get);
      return call(
          "complete", claim.key(), () -> new CompleteResult.Completed(new Expiry(0, 60_000)));
    }
    return call("complete", claim.key(), effect);
  }

  @Override
  public Future<ReleaseResult> release(Claim claim) {
    if (world.mutant == SimMutant.RELEASE_SWALLOWED) {
      return call("release", claim.key(), () -> ReleaseResult.RELEASED);
    }
    Future<ReleaseResult> answer =
        call("release", claim.key(), () -> checked(claim, records.release(claim)));
    if (lastIsFaulty) {
      process.copied(claim.token());
    }
    return answer;
  }

  private <R> R checked(Claim claim, R result) {
    if (result instanceof CompleteResult.LostLease || result == ReleaseResult.LOST_LEASE) {
      records.lost(claim);
    }
    return result;
  }

  @Override
  public Future<Set<Token>> renew(List<Claim> claims) {
    return call("renew", claims.get(0).key(), () -> records.renew(claims));
  }

  @Override
  public Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    return call("recordStep", claim.key(), () -> records.recordStep(claim, name, result));
  }

  @Override
  public Future<KeyState> watch(ScopedKey key) {
    if (world.mutant == SimMutant.READ_BEFORE_WATCH) {
      return call("lookup", key, () -> records.lookup(key))
          .compose(read -> call("watch", key, () -> records.watch(key, this)).map(read));
    }
    return call("watch", key, () -> records.watch(key, this));
  }

  @Override
  public Future<KeyState> lookup(ScopedKey key) {
    return call("lookup", key, () -> records.lookup(key));
  }

  @Override
  public Subscription subscribe(Handler<Notice> handler) {
    subscriber = handler;
    return () -> subscriber = notice -> {};
  }

  /** A watched key was settled. */
  void notice(ScopedKey key) {
    if (world.chance(weather.lostNotice())) {
      world.tell(() -> "store: the notice of " + key.key() + " to " + process.name + " is lost");
      missedSomething = true;
      world.after(SimWorld.NATURE, world.between(1, 20_000) * SimWorld.MILLI, this::gap);
      return;
    }
    int copies = world.chance(weather.lostNotice() / 2) ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      Notice notice = new Notice.Settled(key);
      world.after(process, weather.delayNanos(), () -> subscriber.handle(notice));
    }
  }

  /** The connection is heard again. */
  void gap() {
    if (missedSomething) {
      missedSomething = false;
      world.tell(() -> "store: tells " + process.name + " of a gap");
      world.after(process, weather.delayNanos(), () -> subscriber.handle(new Notice.Gap()));
    }
  }

  /** The store crashed: everything was missed. */
  void broken() {
    missedSomething = true;
    world.after(SimWorld.NATURE, world.between(1, 3_000) * SimWorld.MILLI, this::gap);
  }

  @Override
  public Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    return Future.failedFuture(new IllegalStateException("the control flow never calls records"));
  }

  @Override
  public Future<Integer> purgeExpired(int limit) {
    return Future.failedFuture(
        new IllegalStateException("the control flow never calls purgeExpired"));
  }

  @Override
  public Future<Void> probe() {
    return Future.succeededFuture();
  }
}
