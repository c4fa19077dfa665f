package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.store.postgres.CompleteStatement.Completion;
import dev.latchkey.store.postgres.batch.Batcher;
import dev.latchkey.store.postgres.batch.TurnTaking;
import dev.latchkey.store.postgres.connection.Connections;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Optional;

/**
 * The batched calls: claims share one connection, so that a claim never queues behind a commit with
 * effects; completions and releases share another. Safe for any thread.
 */
final class KeyBatches {

  /** Connections for notifications and for at least one transaction. */
  static final int RESERVED = 2;

  private final ReconnectingConnection connection;
  private final Batcher<ClaimRequest, Optional<ClaimResult>> claims;
  private final Batcher<ClaimRequest, Optional<ClaimResult>> takings;
  private final Batcher<Completion, CompleteResult> completions;
  private final Batcher<Claim, ReleaseResult> releases;

  /**
   * Makes the batches.
   *
   * @param pool takes over the calls that wait for locked rows
   */
  KeyBatches(Connections connections, TransactionPool pool) {
    connection = connections.forStatements(RESERVED);
    ReconnectingConnection endings = connections.forStatements(RESERVED);
    TurnTaking turns = new TurnTaking(connections.context());
    claims = new Batcher<>(connection, ClaimStatement.arriving(), turns.first(), null);
    takings = new Batcher<>(connection, ClaimStatement.taking());
    completions = new Batcher<>(endings, new CompleteStatement(), turns.second(), pool::using);
    releases =
        new Batcher<>(
            endings, new ReleaseStatement(), TurnTaking.single(connections.context()), pool::using);
  }

  Future<ClaimResult> claim(ClaimRequest request) {
    return connection.call(
        () ->
            request.mode() == ClaimRequest.Mode.TAKEOVER
                ? take(request)
                : claims
                    .submit(request)
                    .compose(
                        result ->
                            result.map(Future::succeededFuture).orElseGet(() -> take(request))));
  }

  private Future<ClaimResult> take(ClaimRequest request) {
    return takings
        .submit(request)
        .map(Optional::orElseThrow)
        .compose(
            result ->
                request.mode() == ClaimRequest.Mode.TAKEOVER && ClaimRows.isLocked(result)
                    ? laterReported(result)
                    : Future.succeededFuture(result));
  }

  /** A takeover whose row is locked is repeated as soon as it has a result. */
  private Future<ClaimResult> laterReported(ClaimResult result) {
    Promise<ClaimResult> later = connection.context().promise();
    connection.context().setTimer(ClaimRows.LOCKED_MILLIS, timer -> later.complete(result));
    return later.future();
  }

  Future<CompleteResult> complete(Completion completion) {
    return connection.call(() -> completions.submit(completion));
  }

  Future<ReleaseResult> release(Claim claim) {
    return connection.call(() -> releases.submit(claim));
  }

  /** Fails the calls that wait; the connections are closed by {@link Connections}. */
  Future<Void> close() {
    return connection.call(
        () -> {
          claims.close();
          takings.close();
          completions.close();
          releases.close();
          return Future.succeededFuture();
        });
  }
}
