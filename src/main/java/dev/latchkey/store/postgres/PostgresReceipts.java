package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.core.spi.TransactionWork;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.Receipts;
import dev.latchkey.store.postgres.Completion.Write;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Receipts in Postgres, over connections of their own, beside the payments that they are committed
 * with. What arrives together travels together; see {@link Batcher}. The schema must be there:
 * {@link PostgresSchema}.
 *
 * <p>Behaves as {@link PostgresStore} when the server is away, silent or stalled, calls of one kind
 * are as bounded, and futures complete where those of the store do. A commit whose key another open
 * transaction holds waits for it a while and then fails with nothing done. Safe for use by any
 * thread.
 */
public final class PostgresReceipts implements Receipts {

  private static final Buffer NOT_YET = Buffer.buffer();

  private final EffectKinds kinds;
  private final ReceiptLane lane;
  private final Link reads;
  private final TransactionPool transactions;
  private final Links links;

  private PostgresReceipts(Links links, Limits limits, EffectKinds kinds) {
    this.links = links;
    this.kinds = kinds;
    lane = new ReceiptLane(links, limits);
    reads = links.onOwnLoop(Session.STATEMENTS);
    transactions =
        new TransactionPool(() -> links.onOwnLoop(Session.TRANSACTIONS), links.ownLoop(), limits);
  }

  /**
   * Opens the receipts; whether the server answers shows with the first call, or with {@link
   * #probe}.
   *
   * @param vertx runs the connections; not closed with them
   * @param connect where the server is, and how to be known to it
   * @param options limits in time and number
   * @param kinds what can be written with a receipt
   * @return the receipts; to be closed
   */
  public static PostgresReceipts create(
      Vertx vertx, PgConnectOptions connect, PostgresStoreOptions options, EffectKinds kinds) {
    Limits limits = options.limits();
    return new PostgresReceipts(new Links(vertx, connect, limits), limits, kinds);
  }

  @Override
  public Future<Optional<Receipt>> find(ScopedKey key) {
    return Keys.checked("find receipt", key, () -> lane.find(key));
  }

  @Override
  public Future<List<Kept>> list(String tenant, String key, int limit) {
    if (!Keys.isText(tenant) || !Keys.isText(key)) {
      return Future.succeededFuture(List.of());
    }
    Tuple values = Tuple.of(tenant, key, (long) limit);
    return Failures.told(
        "list receipts",
        reads
            .whenReady(() -> reads.send(ReceiptSql.LIST, values))
            .map(
                rows -> {
                  List<Kept> kept = new ArrayList<>();
                  rows.forEach(
                      row ->
                          kept.add(
                              new Kept(
                                  new ScopedKey(tenant, row.getString("route"), key),
                                  ReceiptRows.receipt(row))));
                  return List.copyOf(kept);
                }));
  }

  @Override
  public Future<Result> commit(Attempted attempted, StoredResponse response, List<Effect> effects) {
    return Keys.checked(
        "commit receipt",
        attempted.claim().key(),
        () -> {
          Writes writes = Writes.of(kinds, effects);
          Buffer encoded = Buffer.buffer(StoredResponseCodec.encode(response));
          Optional<Write> only = writes.known().stream().findFirst();
          ReceiptCommit commit = new ReceiptCommit(attempted, encoded, only);
          if (writes.unknown().isPresent()) {
            return refuse(commit, writes.unknown().get());
          }
          return writes.known().size() > 1
              ? transact(commit, writes, transaction -> transaction.run(response))
              : lane.commit(commit);
        });
  }

  @Override
  public boolean runsTransactionsOn(Class<?> connectionType) {
    return connectionType.isAssignableFrom(SqlConnection.class);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The work gets a {@link SqlConnection} that it can neither close nor commit. It has half the
   * lease; after that, or when it fails, everything rolls back.
   */
  @Override
  public Future<Result> commit(Attempted attempted, TransactionWork<?> work, List<Effect> effects) {
    if (!runsTransactionsOn(work.connectionType())) {
      return Future.failedFuture(
          Failures.hopeless("no transactions on " + work.connectionType().getName()));
    }
    return Keys.checked(
        "commit receipt",
        attempted.claim().key(),
        () -> {
          Writes writes = Writes.of(kinds, effects);
          ReceiptCommit commit = new ReceiptCommit(attempted, NOT_YET, Optional.empty());
          return writes.unknown().isPresent()
              ? refuse(commit, writes.unknown().get())
              : transact(commit, writes, transaction -> transaction.run(work));
        });
  }

  private Future<Result> transact(
      ReceiptCommit commit,
      Writes writes,
      Function<CompletingTransaction, Future<CompleteResult>> run) {
    return transactions.run(
        link ->
            run.apply(transactions.transaction(link, commit.holding(), writes.known()))
                .map(PostgresReceipts::result),
        (link, cause) ->
            found(link, commit)
                .compose(
                    found ->
                        found
                            .map(it -> CommitStatement.standing(commit, it))
                            .<Future<Result>>map(Future::succeededFuture)
                            .orElseGet(
                                () ->
                                    Future.failedFuture(
                                        Failures.notDone(
                                            "the key changed hands, or the work ended its"
                                                + " transaction")))),
        new RolledBack());
  }

  private static Result result(CompleteResult of) {
    if (of instanceof CompleteResult.Completed completed) {
      return new Committed(completed.expiry());
    }
    return of instanceof CompleteResult.EffectRefused refused
        ? new Refused(refused.which(), refused.detail())
        : new RolledBack();
  }

  /** Refuses an effect that nobody knows, unless the key has its receipt anyhow. */
  private Future<Result> refuse(ReceiptCommit commit, Effect unknown) {
    Result refused = new Refused(unknown.name(), Writes.sayUnknown(unknown));
    return transactions.using(
        link ->
            found(link, commit)
                .map(
                    found ->
                        found.map(it -> CommitStatement.standing(commit, it)).orElse(refused)));
  }

  private static Future<Optional<Receipt>> found(Link link, ReceiptCommit commit) {
    return ReceiptRows.find(link, List.of(commit.key())).compose(found -> found.get(0));
  }

  @Override
  public Future<Integer> purgeExpired(int limit) {
    return Failures.told("purge receipts", transactions.purge(ReceiptSql.PURGE, limit));
  }

  @Override
  public Future<Void> probe() {
    return Failures.told("probe", KeyStatements.probe(reads, "latchkey_receipt"));
  }

  /** Closes the connections; calls under way fail. */
  public Future<Void> close() {
    return lane.close().compose(done -> transactions.close()).compose(done -> links.close());
  }
}
