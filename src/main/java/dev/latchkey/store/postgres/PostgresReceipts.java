package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.PurgeResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.core.spi.TransactionWork;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.Receipts;
import dev.latchkey.store.postgres.batch.Batcher;
import dev.latchkey.store.postgres.batch.TurnTaking;
import dev.latchkey.store.postgres.connection.Connections;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.Limits;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.effect.EffectWrite;
import dev.latchkey.store.postgres.effect.PostgresEffectKinds;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.PurgeSql;
import dev.latchkey.store.postgres.sql.ReceiptSql;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * {@link Receipts} in Postgres, over connections of their own, in the database of the effects that
 * they are committed with. Concurrent calls share statements; see {@link Batcher}. The schema must
 * exist: {@link dev.latchkey.store.postgres.PostgresSchema#keys()}.
 *
 * <p>Behaves like {@link dev.latchkey.store.postgres.PostgresStore} if the server is unavailable,
 * silent or stalled. A commit whose key another open transaction holds waits for the lock timeout
 * and then fails as not done. Safe for use by any thread; futures complete on the event loop of the
 * connections.
 */
public final class PostgresReceipts implements Receipts {

  private final PostgresEffectKinds kinds;
  private final Connections connections;
  private final ReconnectingConnection reads;
  private final Batcher<ScopedKey, Optional<Receipt>> finds;
  private final Batcher<ReceiptCommit, Result> commits;
  private final TransactionPool transactions;
  private final Purge purge;

  private PostgresReceipts(Connections connections, Limits limits, PostgresEffectKinds kinds) {
    this.connections = connections;
    this.kinds = kinds;
    // Separate connections, so that a read never queues behind a commit.
    reads = connections.forStatements(1);
    finds = new Batcher<>(reads, new FindStatement());
    transactions = new TransactionPool(connections, limits);
    purge = new Purge(transactions, PurgeSql.RECEIPTS);
    commits =
        new Batcher<>(
            connections.forStatements(1),
            new CommitStatement(),
            TurnTaking.single(connections.context()),
            transactions::using);
  }

  /**
   * Creates the receipts. If the server is unavailable, the first call fails, or {@link #probe}.
   *
   * @param vertx runs the connections
   * @param connect server and credentials
   * @param options limits in time and number
   * @param kinds the effects that commits may have
   * @return the receipts; to be closed
   */
  public static PostgresReceipts create(
      Vertx vertx,
      PgConnectOptions connect,
      PostgresStoreOptions options,
      PostgresEffectKinds kinds) {
    Limits limits = options.limits();
    return new PostgresReceipts(new Connections(vertx, connect, limits), limits, kinds);
  }

  @Override
  public Future<Optional<Receipt>> find(ScopedKey key) {
    return KeyParameters.checked("find receipt", key, () -> reads.call(() -> finds.submit(key)));
  }

  @Override
  public Future<List<Kept>> list(String tenant, String key, int limit) {
    if (!KeyParameters.isText(tenant) || !KeyParameters.isText(key)) {
      return Future.succeededFuture(List.of());
    }
    Tuple values = Tuple.of(tenant, key, (long) limit);
    return Failures.converted(
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
                                  FindStatement.receipt(row))));
                  return List.copyOf(kept);
                }));
  }

  @Override
  public Future<Result> commit(Attempted attempted, StoredResponse response, List<Effect> effects) {
    return KeyParameters.checked(
        "commit receipt",
        attempted.claim().key(),
        () -> {
          Optional<EffectRefused> refusal = EffectWrite.refusal(kinds, effects);
          if (refusal.isPresent()) {
            return refuse(attempted, refusal.get());
          }
          List<EffectWrite> writes = EffectWrite.all(kinds, effects);
          Buffer encoded = Buffer.buffer(StoredResponseCodec.encode(response));
          ReceiptCommit commit = new ReceiptCommit(attempted, encoded, writes.stream().findFirst());
          return writes.size() > 1
              ? transactions.run(
                  transaction(commit, writes, it -> it.run(response)), ifLost(commit))
              : reads.call(() -> commits.submit(commit));
        });
  }

  @Override
  public boolean runsTransactionsOn(Class<?> connectionType) {
    return connectionType.isAssignableFrom(SqlConnection.class);
  }

  /**
   * {@inheritDoc}
   *
   * <p>The work gets a {@link SqlConnection} that it can neither close nor commit. It has nine
   * tenths of half the lease; after that, or if it fails, everything rolls back. If its connection
   * breaks, it is executed once more.
   */
  @Override
  public Future<Result> commit(Attempted attempted, TransactionWork<?> work, List<Effect> effects) {
    if (!runsTransactionsOn(work.connectionType())) {
      return Future.failedFuture(
          Failures.permanent("no transactions on " + work.connectionType().getName()));
    }
    return KeyParameters.checked(
        "commit receipt",
        attempted.claim().key(),
        () -> {
          Optional<EffectRefused> refusal = EffectWrite.refusal(kinds, effects);
          if (refusal.isPresent()) {
            return refuse(attempted, refusal.get());
          }
          ReceiptCommit commit = ReceiptCommit.withoutResponse(attempted);
          List<EffectWrite> writes = EffectWrite.all(kinds, effects);
          return transactions.runWork(
              transaction(commit, writes, it -> it.run(work)), ifLost(commit), new RolledBack());
        });
  }

  private Function<ReconnectingConnection, Future<Result>> transaction(
      ReceiptCommit commit,
      List<EffectWrite> writes,
      Function<CompletingTransaction, Future<CompleteResult>> run) {
    return connection ->
        run.apply(new CompletingTransaction(connection, commit.lock(), writes, transactions))
            .map(PostgresReceipts::result);
  }

  private static BiFunction<ReconnectingConnection, Throwable, Future<Result>> ifLost(
      ReceiptCommit commit) {
    String neither = "the key changed hands, or the work ended its transaction";
    return (connection, cause) ->
        found(connection, commit)
            .compose(
                found ->
                    found
                        .map(it -> CommitStatement.resultOf(commit, it))
                        .<Future<Result>>map(Future::succeededFuture)
                        .orElseGet(() -> Future.failedFuture(Failures.notDone(neither))));
  }

  private static Result result(CompleteResult of) {
    if (of instanceof CompleteResult.Completed completed) {
      return new Committed(completed.expiry());
    }
    return of instanceof CompleteResult.EffectRefused refused
        ? new Refused(refused.which(), refused.detail())
        : new RolledBack();
  }

  /** Refuses an unknown effect, unless the key has a receipt already. */
  private Future<Result> refuse(Attempted attempted, EffectRefused refused) {
    ReceiptCommit commit = ReceiptCommit.withoutResponse(attempted);
    return transactions.using(
        connection ->
            found(connection, commit)
                .map(
                    found ->
                        found
                            .map(it -> CommitStatement.resultOf(commit, it))
                            .orElseGet(() -> result(refused))));
  }

  private static Future<Optional<Receipt>> found(
      ReconnectingConnection connection, ReceiptCommit commit) {
    return FindStatement.ofCommits(connection, List.of(commit))
        .compose(found -> found.get(0).future());
  }

  @Override
  public Future<PurgeResult> purgeExpired(int limit) {
    return Failures.converted("purge receipts", purge.run(limit));
  }

  @Override
  public Future<Void> probe() {
    return Failures.converted("probe", Connections.probe(reads, "latchkey_receipt"));
  }

  /** Closes the connections; pending calls fail. */
  public Future<Void> close() {
    return reads
        .call(
            () -> {
              finds.close();
              commits.close();
              return Future.succeededFuture();
            })
        .compose(done -> connections.close());
  }
}
