package dev.latchkey.http;

import dev.latchkey.idempotency.spi.Claim;
import dev.latchkey.idempotency.spi.ClaimRequest;
import dev.latchkey.idempotency.spi.ClaimResult;
import dev.latchkey.idempotency.spi.CompleteResult;
import dev.latchkey.idempotency.spi.Effect;
import dev.latchkey.idempotency.spi.Expiry;
import dev.latchkey.idempotency.spi.IdempotencyStore;
import dev.latchkey.idempotency.spi.Notice;
import dev.latchkey.idempotency.spi.ReleaseResult;
import dev.latchkey.idempotency.spi.StoredResponse;
import dev.latchkey.idempotency.spi.Subscription;
import dev.latchkey.store.ForwardingStore;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** The defects that the table of situations has to notice. */
enum Sabotages {
  /** A 503 leaves, and its key stays claimed. */
  NO_RELEASE(() -> ofStore(NoRelease::new)),
  /** The answer leaves although it was never stored. */
  ANSWER_BEFORE_STORED(() -> ofStore(Forgetful::new)),
  /** A stored answer does not keep the next attempt from running. */
  RUNS_AGAIN(() -> ofStore(RunsAgain::new)),
  /** A key stands for any request. */
  FINGERPRINT_IGNORED(() -> ofStore(AnyRequest::new)),
  /** Nobody is told that a key was completed. */
  NO_WAKE_UP(() -> ofStore(Silent::new)),
  REPLAY_MARK_MISSING(() -> Sabotage.ofHeader("Idempotent-Replayed")),
  EXPIRY_MISSING(() -> Sabotage.ofHeader("Idempotency-Expires")),
  ECHO_MISSING(() -> Sabotage.ofHeader("Idempotency-Key")),
  RETRY_AFTER_MISSING(() -> Sabotage.ofHeader("Retry-After")),
  LINK_MISSING(() -> Sabotage.ofHeader("Link")),
  /** The client's wait is not looked at. */
  WAIT_IGNORED(
      () ->
          Sabotage.ofRoutes(
              router ->
                  router
                      .route()
                      .handler(
                          ctx -> {
                            ctx.request().headers().remove("Prefer");
                            ctx.next();
                          }))),
  /** Whatever comes with a key that is in use waits, also another request. */
  OTHER_PARKED(Sabotages::otherParked);

  private final Supplier<Sabotage> making;

  Sabotages(Supplier<Sabotage> making) {
    this.making = making;
  }

  Sabotage make() {
    return making.get();
  }

  private static Sabotage ofStore(Function<IdempotencyStore, IdempotencyStore> broken) {
    return Sabotage.ofStore(broken::apply);
  }

  private static Sabotage otherParked() {
    Set<String> used = ConcurrentHashMap.newKeySet();
    return Sabotage.ofRoutes(
        router ->
            router
                .route()
                .handler(
                    ctx -> {
                      if (used.add(ctx.request().getHeader("Idempotency-Key"))) {
                        ctx.next();
                      }
                    }));
  }

  private static final class NoRelease extends ForwardingStore {
    NoRelease(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Future<ReleaseResult> release(Claim claim) {
      return Future.succeededFuture(ReleaseResult.RELEASED);
    }
  }

  private static final class Forgetful extends ForwardingStore {
    Forgetful(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Future<CompleteResult> complete(
        Claim claim, StoredResponse response, List<Effect> effects) {
      return Future.succeededFuture(new CompleteResult.Completed(new Expiry(1_000, 1_000)));
    }
  }

  private static final class RunsAgain extends ForwardingStore {
    RunsAgain(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Future<ClaimResult> claim(ClaimRequest request) {
      return super.claim(request)
          .map(
              result ->
                  result instanceof ClaimResult.Completed it
                      ? new ClaimResult.Claimed(2, Map.of(), it.expiry(), false)
                      : result);
    }
  }

  private static final class AnyRequest extends ForwardingStore {
    AnyRequest(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Future<ClaimResult> claim(ClaimRequest request) {
      return super.claim(request)
          .map(
              result ->
                  result instanceof ClaimResult.Mismatch
                      ? new ClaimResult.Claimed(2, Map.of(), new Expiry(1_000, 1_000), false)
                      : result);
    }
  }

  private static final class Silent extends ForwardingStore {
    Silent(IdempotencyStore behind) {
      super(behind);
    }

    @Override
    public Subscription subscribe(Handler<Notice> handler) {
      return () -> {};
    }
  }
}
