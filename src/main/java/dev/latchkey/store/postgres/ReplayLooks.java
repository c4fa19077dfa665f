package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * The looks before claims, while what is claimed turns out to be completed already. A look is one
 * plain read by primary key; whatever it does not answer is left to the claim, and so is a look
 * that fails. It locks and writes nothing, so that little is gained where many share a statement:
 * event loops have connections of their own for it, which saves a replay two hops between threads.
 * Safe for any thread.
 */
final class ReplayLooks {

  private final Lanes<LookLane> lanes;
  private final ReplayGuess guess;

  ReplayLooks(Links links, PostgresStoreOptions limits, ReplayGuess guess) {
    this.guess = guess;
    // A lane of looks is one connection as it is, so shortcuts would gain nothing.
    lanes =
        new Lanes<>(
            links,
            limits.maxShortcuts(),
            loop -> new LookLane(links.optional(loop), limits),
            0,
            link -> new LookLane(link, limits));
  }

  /** Answers a request, by a look where one is likely to, else by the claim. */
  Future<ClaimResult> before(ClaimRequest request, Supplier<Future<ClaimResult>> claim) {
    if (request.mode() == ClaimRequest.Mode.TAKEOVER) {
      return claim.get();
    }
    if (!guess.pays()) {
      return claim.get().onSuccess(guess::learn);
    }
    return lanes
        .call(lane -> lane.look(request))
        .transform(
            (found, failure) -> {
              if (failure != null) {
                guess.forget();
              } else if (found.isPresent()) {
                guess.learn(found.get());
                return Future.succeededFuture(found.get());
              }
              return claim.get().onSuccess(guess::learn);
            });
  }

  Future<Void> close() {
    return lanes.close();
  }
}
