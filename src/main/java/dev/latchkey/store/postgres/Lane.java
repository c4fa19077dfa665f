package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.ReleaseResult;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * The batches of claims, completions and releases: one connection for claims, so that a claim never
 * queues behind a commit with effects, and one for completions and releases. May be called on any
 * thread; runs on the event loop of its connections.
 */
final class Lane {

  private final Link claimLink;
  private final Link endLink;
  private final Batcher<ClaimRequest, Optional<ClaimResult>> claims;
  private final Batcher<ClaimRequest, Optional<ClaimResult>> takings;
  private final Batcher<Completion, CompleteResult> completions;
  private final Batcher<Claim, ReleaseResult> releases;

  Lane(Links links, Limits limits) {
    claimLink = links.onOwnLoop(Session.STATEMENTS);
    endLink = links.onOwnLoop(Session.STATEMENTS);
    Turns turns = new Turns(claimLink.context());
    claims = new Batcher<>(claimLink, ClaimStatement.arriving(), limits, turns.first());
    takings = new Batcher<>(claimLink, ClaimStatement.taking(), limits);
    completions = new Batcher<>(endLink, new CompleteStatement(), limits, turns.second());
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

  /** Fails the calls that wait; the connections are closed by {@link Links}. */
  Future<Void> close() {
    return claimLink.on(
        () -> {
          claims.close();
          takings.close();
          completions.close();
          releases.close();
          return Future.succeededFuture();
        });
  }
}
