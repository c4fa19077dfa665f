package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.ReleaseResult;
import io.vertx.core.Future;
import io.vertx.core.internal.ContextInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Calls that travel together: connections for claims, so that they never queue behind a commit with
 * effects, and others for what ends claims. May be called on any thread; runs on its own loop.
 */
final class Lane implements Lanes.OfLoop {

  private final List<Link> claimLinks;
  private final List<Link> endLinks;
  private final Batcher<ClaimRequest, Optional<ClaimResult>> claims;
  private final Batcher<ClaimRequest, Optional<ClaimResult>> takings;
  private final Batcher<Completion, CompleteResult> completions;
  private final Batcher<Claim, ReleaseResult> releases;

  private Lane(
      List<Link> claimLinks,
      List<Link> endLinks,
      PostgresStoreOptions limits,
      Turns.Side claimTurn,
      Turns.Side endTurn) {
    this.claimLinks = claimLinks;
    this.endLinks = endLinks;
    claims = new Batcher<>(claimLinks, ClaimStatement.arriving(), limits, claimTurn);
    takings = new Batcher<>(claimLinks.subList(0, 1), ClaimStatement.taking(), limits);
    completions = new Batcher<>(endLinks, new CompleteStatement(), limits, endTurn);
    releases = new Batcher<>(endLinks.subList(0, 1), new ReleaseStatement(), limits);
  }

  /**
   * A lane of {@link PostgresStoreOptions#maxParallel} connections for each kind. With one of each,
   * small batches of claims and of completions take turns; see {@link Turns}.
   */
  static Lane wide(Supplier<Link> links, PostgresStoreOptions limits) {
    List<Link> claimLinks = new ArrayList<>();
    List<Link> endLinks = new ArrayList<>();
    for (int i = 0; i < limits.maxParallel(); i++) {
      claimLinks.add(links.get());
      endLinks.add(links.get());
    }
    ContextInternal context = claimLinks.get(0).context();
    if (limits.maxParallel() > 1) {
      return new Lane(claimLinks, endLinks, limits, Turns.none(context), Turns.none(context));
    }
    Turns turns = new Turns(context);
    return new Lane(claimLinks, endLinks, limits, turns.first(), turns.second());
  }

  /** A lane of one connection, for one call at a time. */
  static Lane narrow(Link link, PostgresStoreOptions limits) {
    List<Link> links = List.of(link);
    ContextInternal context = link.context();
    return new Lane(links, links, limits, Turns.none(context), Turns.none(context));
  }

  Future<ClaimResult> claim(ClaimRequest request) {
    return claimLinks
        .get(0)
        .on(
            () ->
                request.mode() == ClaimRequest.Mode.TAKEOVER
                    ? take(request)
                    : claims
                        .submit(request)
                        .compose(
                            told ->
                                told.map(Future::succeededFuture).orElseGet(() -> take(request))));
  }

  private Future<ClaimResult> take(ClaimRequest request) {
    return takings.submit(request).map(Optional::orElseThrow);
  }

  Future<CompleteResult> complete(Completion completion) {
    return endLinks.get(0).on(() -> completions.submit(completion));
  }

  Future<ReleaseResult> release(Claim claim) {
    return endLinks.get(0).on(() -> releases.submit(claim));
  }

  @Override
  public Future<Void> close() {
    List<Link> all = Stream.of(claimLinks, endLinks).flatMap(List::stream).distinct().toList();
    return all.get(0)
        .on(
            () -> {
              claims.close();
              takings.close();
              completions.close();
              releases.close();
              return Future.succeededFuture();
            })
        .compose(done -> Future.join(all.stream().map(Link::close).toList()).mapEmpty());
  }
}
