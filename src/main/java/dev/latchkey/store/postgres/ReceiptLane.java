package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.Receipts;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * What the callers of one lane ask of the receipts: one connection for reads, so that they never
 * queue behind a commit, and one for commits. May be called on any thread; runs on its own loop.
 */
final class ReceiptLane {

  private final Link readLink;
  private final Link commitLink;
  private final Batcher<ScopedKey, Optional<Receipt>> reads;
  private final Batcher<ReceiptCommit, Receipts.Result> commits;

  ReceiptLane(Links links, Limits limits) {
    readLink = links.onOwnLoop(Session.STATEMENTS);
    commitLink = links.onOwnLoop(Session.STATEMENTS);
    reads = new Batcher<>(readLink, new FindStatement(), limits);
    commits = new Batcher<>(commitLink, new CommitStatement(), limits);
  }

  Future<Optional<Receipt>> find(ScopedKey key) {
    return readLink.on(() -> reads.submit(key));
  }

  Future<Receipts.Result> commit(ReceiptCommit commit) {
    return commitLink.on(() -> commits.submit(commit));
  }

  /** Fails the calls that wait; the connections are closed by {@link Links}. */
  Future<Void> close() {
    return readLink.on(
        () -> {
          reads.close();
          commits.close();
          return Future.succeededFuture();
        });
  }
}
