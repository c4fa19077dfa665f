package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.Receipts;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What the callers of one lane ask of the receipts: one connection for reads, so that they never
 * queue behind a commit, and one for commits. May be called on any thread; runs on its own loop.
 */
final class ReceiptLane implements Lanes.OfLoop {

  private final Link readLink;
  private final Link commitLink;
  private final Batcher<ScopedKey, Optional<Receipt>> reads;
  private final Batcher<ReceiptCommit, Receipts.Result> commits;

  ReceiptLane(Supplier<Link> links, PostgresStoreOptions limits) {
    readLink = links.get();
    commitLink = links.get();
    reads = new Batcher<>(List.of(readLink), new FindStatement(), limits);
    commits = new Batcher<>(List.of(commitLink), new CommitStatement(), limits);
  }

  /** A lane of one connection, for one call at a time. */
  static ReceiptLane narrow(Link link, PostgresStoreOptions limits) {
    return new ReceiptLane(() -> link, limits);
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
