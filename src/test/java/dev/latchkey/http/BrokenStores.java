package dev.latchkey.http;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.Notification;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Subscription;
import dev.latchkey.store.ForwardingStore;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;

/** Stores with one defect each. */
final class BrokenStores {

  private static final Expiry SOON = new Expiry(1_000, 1_000);

  private BrokenStores() {}

  /** Says that a key is released, and keeps its claim. */
  static final class NoRelease extends ForwardingStore {
    NoRelease(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Future<ReleaseResult> release(Claim claim) {
      return Future.succeededFuture(ReleaseResult.RELEASED);
    }
  }

  /** Never says that a key is released. */
  static final class ReleaseUnanswered extends ForwardingStore {
    ReleaseUnanswered(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Future<ReleaseResult> release(Claim claim) {
      Promise<ReleaseResult> never = Promise.promise();
      return super.release(claim).compose(done -> never.future());
    }
  }

  /** Says that an answer is stored, and forgets it. */
  static final class Forgetful extends ForwardingStore {
    Forgetful(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Future<CompleteResult> complete(
        Claim claim, StoredResponse response, List<Effect> effects) {
      return Future.succeededFuture(new CompleteResult.Completed(SOON));
    }
  }

  /** Stores nothing but what succeeded. */
  static final class OnlySuccesses extends ForwardingStore {
    OnlySuccesses(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Future<CompleteResult> complete(
        Claim claim, StoredResponse response, List<Effect> effects) {
      return response.status() < 400
          ? super.complete(claim, response, effects)
          : super.release(claim).map(new CompleteResult.Completed(SOON));
    }
  }

  /** Releases the key of an answer that is too large to keep. */
  static final class OversizedReleased extends ForwardingStore {
    OversizedReleased(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Future<CompleteResult> complete(
        Claim claim, StoredResponse response, List<Effect> effects) {
      return response.retained()
          ? super.complete(claim, response, effects)
          : super.release(claim).map(new CompleteResult.Completed(SOON));
    }
  }

  /** Grants a key that is completed. */
  static final class RunsAgain extends ForwardingStore {
    RunsAgain(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Future<ClaimResult> claim(ClaimRequest request) {
      return super.claim(request)
          .map(result -> result instanceof ClaimResult.Completed ? granted() : result);
    }
  }

  /** Grants a key that names another request. */
  static final class AnyRequest extends ForwardingStore {
    AnyRequest(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Future<ClaimResult> claim(ClaimRequest request) {
      return super.claim(request)
          .map(result -> result instanceof ClaimResult.Mismatch ? granted() : result);
    }
  }

  /** Never gives a lapsed claim to anybody else. */
  static final class NoTakeover extends ForwardingStore {
    NoTakeover(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Future<ClaimResult> claim(ClaimRequest request) {
      return request.mode() == ClaimRequest.Mode.TAKEOVER
          ? Promise.<ClaimResult>promise().future()
          : super.claim(request.withMode(ClaimRequest.Mode.NO_TAKEOVER));
    }
  }

  /** Grants a lapsed claim without taking it from its owner. */
  static final class TakeoverUndecided extends ForwardingStore {
    TakeoverUndecided(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Future<ClaimResult> claim(ClaimRequest request) {
      return request.mode() == ClaimRequest.Mode.TAKEOVER
          ? Future.succeededFuture(granted())
          : super.claim(request.withMode(ClaimRequest.Mode.NO_TAKEOVER))
              .map(result -> result instanceof ClaimResult.Lapsed ? granted() : result);
    }
  }

  /** Tells nobody that a key was settled. */
  static final class Silent extends ForwardingStore {
    Silent(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Subscription subscribe(Handler<Notification> handler) {
      return () -> {};
    }
  }

  /** Takes a claim that failed for granted, and what follows for done. */
  static final class ClaimsWithoutAnswer extends CompletesWithoutAnswer {
    ClaimsWithoutAnswer(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Future<ClaimResult> claim(ClaimRequest request) {
      return super.claim(request).otherwise(granted());
    }

    @Override
    public Future<CompleteResult> complete(
        Claim claim, StoredResponse response, List<Effect> effects) {
      return super.complete(claim, response, effects).otherwise(new CompleteResult.Completed(SOON));
    }
  }

  /** Takes a completion that nobody confirmed for done. */
  static class CompletesWithoutAnswer extends ForwardingStore {
    CompletesWithoutAnswer(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Future<CompleteResult> complete(
        Claim claim, StoredResponse response, List<Effect> effects) {
      return super.complete(claim, response, effects).otherwise(new CompleteResult.Completed(SOON));
    }
  }

  private static ClaimResult granted() {
    return new ClaimResult.Claimed(2, Map.of(), SOON, false);
  }
}
