package dev.latchkey.store.postgres;

import dev.latchkey.idempotency.spi.ScopedKey;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.Receipts;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Function;

/**
 * What one event loop asks of the receipts: one connection for reads, so that they never queue
 * behind a commit, and one for commits. May be called on any thread; runs on its own loop.
 */
final class ReceiptLane implements Lanes.OfLoop {

  private final Link readLink;
  private final Link commitLink;
  private final Batcher<ScopedKey, Optional<Receipt>> reads;
  private final Batcher<ReceiptCommit, Receipts.Result> commits;

  ReceiptLane(Function<Session, Link> links, PostgresStoreOptions limits) {
    readLink = links.apply(Session.STATEMENTS);
    commitLink = links.apply(Session.STATEMENTS);
    reads = new Batcher<>(readLink, new FindStatement(), limits);
    commits = new Batcher<>(commitLink, new CommitStatement(), limits);
  }

  Future<Optional<Receipt>> find(ScopedKey key) {
    return readLink.on(() -> reads.submit(key));
  }

  Future<Receipts.Result> commit(ReceiptCommit commit) {
    return commitLink.on(() -> commits.submit(commit));
  }

  @Override
  public Future<Void> close() {
    return readLink
        .on(
            () -> {
              reads.close();
              commits.close();
              return Future.succeededFuture();
            })
        .compose(done -> Future.join(readLink.close(), commitLink.close()).mapEmpty());
  }
}
