package dev.latchkey.store.postgres;

import dev.latchkey.idempotency.spi.Claim;
import dev.latchkey.idempotency.spi.ClaimRequest;
import dev.latchkey.idempotency.spi.ClaimResult;
import dev.latchkey.idempotency.spi.CompleteResult;
import dev.latchkey.idempotency.spi.ReleaseResult;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Function;

/**
 * Calls that travel together: one connection for claims, so that they never queue behind a commit
 * with effects, and one for what ends claims. May be called on any thread; runs on its own loop.
 */
final class Lane implements Lanes.OfLoop {

  private final Link claimLink;
  private final Link endLink;
  private final Batcher<ClaimRequest, Optional<ClaimResult>> claims;
  private final Batcher<ClaimRequest, Optional<ClaimResult>> takings;
  private final Batcher<Completion, CompleteResult> completions;
  private final Batcher<Claim, ReleaseResult> releases;

  Lane(Function<Session, Link> links, PostgresStoreOptions limits) {
    claimLink = links.apply(Session.STATEMENTS);
    endLink = links.apply(Session.STATEMENTS);
    claims = new Batcher<>(claimLink, ClaimStatement.arriving(), limits);
    takings = new Batcher<>(claimLink, ClaimStatement.taking(), limits);
    completions = new Batcher<>(endLink, new CompleteStatement(), limits);
    releases = new Batcher<>(endLink, new ReleaseStatement(), limits);
  }

  Future<ClaimResult> claim(ClaimRequest request) {
    return claimLink.on(
        () ->
            request.mode() == ClaimRequest.Mode.TAKEOVER
                ? take(request)
                : claims
                    .submit(request)
                    .compose(
                        told -> told.map(Future::succeededFuture).orElseGet(() -> take(request))));
  }

  private Future<ClaimResult> take(ClaimRequest request) {
    return takings.submit(request).map(Optional::orElseThrow);
  }

  Future<CompleteResult> complete(Completion completion) {
    return endLink.on(() -> completions.submit(completion));
  }

  Future<ReleaseResult> release(Claim claim) {
    return endLink.on(() -> releases.submit(claim));
  }

  /** How many claim statements were sent so far. */
  long claimStatements() {
    return claims.sent() + takings.sent();
  }

  @Override
  public Future<Void> close() {
    return claimLink
        .on(
            () -> {
              claims.close();
              takings.close();
              completions.close();
              releases.close();
              return Future.succeededFuture();
            })
        .compose(done -> Future.join(claimLink.close(), endLink.close()).mapEmpty());
  }
}
