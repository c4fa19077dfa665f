package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.CompleteResult.RolledBack;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.core.spi.TransactionWork;
import dev.latchkey.store.postgres.Completion.Write;
import dev.latchkey.store.postgres.Holding.Prepared;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * One transaction that completes a key. What decides is raised inside the server, so that nothing
 * of a fenced-out owner is committed however the client's messages travel. COMMIT's own answer
 * proves nothing after an error before it, where it succeeds and has rolled back: every answer is
 * looked at, and the completion comes last, which fails in a failed transaction. Used once, on the
 * link's event loop.
 */
final class CompletingTransaction {

  private final Link link;
  private final Holding holding;
  private final List<Write> writes;
  private final List<Tuple> values;
  private final ConcurrentMap<EffectKind, String> statements;
  private boolean tookTooLong;

  CompletingTransaction(
      Link link,
      Holding holding,
      List<Write> writes,
      ConcurrentMap<EffectKind, String> statements) {
    this.statements = statements;
    this.link = link;
    this.holding = holding;
    this.writes = writes;
    values = writes.stream().map(CompletingTransaction::values).toList();
  }

  /** Before anything is sent: what is wrong with an effect must not leave a transaction open. */
  private static Tuple values(Write write) {
    try {
      return Tuple.wrap(EffectArrays.values(write.kind(), write.effect()));
    } catch (RuntimeException broken) {
      throw Failures.hopeless("effect " + write.effect().name() + " cannot be written: " + broken);
    }
  }

  /** Sends everything at once. Fails with {@link PgException} when it is rolled back. */
  Future<CompleteResult> run(StoredResponse response) {
    // Nothing is to be waited for in between: a client that falls silent here has gone.
    long idleMillis = Math.min(idleLimitMillis(), link.limits().statementLimitMillis());
    return finish(begin(idleMillis), response, null);
  }

  /** Lets the work run between the lock and the completion. */
  Future<CompleteResult> run(TransactionWork<?> work) {
    Future<?> renewed =
        holding.renewal().<Future<?>>map(this::send).orElseGet(Future::succeededFuture);
    List<Future<RowSet<Row>>> begun = begin(idleLimitMillis());
    return Future.join(renewed, begun.get(0), begun.get(1))
        .compose(
            done -> link.connected(),
            cause -> rollBack().transform(done -> Future.failedFuture(cause)))
        .compose(
            connection -> {
              String transaction = begun.get(1).result().iterator().next().getString("transaction");
              return answer(work, connection)
                  .compose(
                      answer ->
                          answer.isPresent()
                              ? finish(List.of(), answer.get(), transaction)
                              : rollBack().transform(done -> rolledBack(done.failed())));
            });
  }

  private Future<CompleteResult> rolledBack(boolean broke) {
    return broke && !tookTooLong
        ? Future.failedFuture(new ConnectionBrokeDuringWork())
        : Future.succeededFuture(new RolledBack());
  }

  private Future<?> rollBack() {
    return link.sendCommand("ROLLBACK");
  }

  private Future<RowSet<Row>> send(Prepared statement) {
    return link.send(statement.sql(), statement.values());
  }

  private List<Future<RowSet<Row>>> begin(long idleMillis) {
    Future<RowSet<Row>> begun = link.sendCommand("BEGIN");
    long wholeMillis = idleMillis + link.limits().statementLimitMillis();
    return List.of(begun, send(holding.pin(idleMillis, wholeMillis)));
  }

  /** How long the server lets the transaction idle. */
  private long idleLimitMillis() {
    return Math.max(1, Math.min(holding.leaseMillis() / 2, Integer.MAX_VALUE));
  }

  /**
   * Ends before the server's limit does: a connection that the server ends looks like an outage.
   */
  private long workLimitMillis() {
    return Math.max(1, idleLimitMillis() * 9 / 10);
  }

  private Future<Optional<StoredResponse>> answer(
      TransactionWork<?> work, SqlConnection connection) {
    BorrowedConnection borrowed = new BorrowedConnection(connection);
    Promise<Optional<StoredResponse>> answer = Promise.promise();
    long timer =
        link.context()
            .setTimer(
                workLimitMillis(),
                ignored -> {
                  // A statement of the work may be under way: cut, so that the server rolls back.
                  if (answer.tryComplete(Optional.empty())) {
                    tookTooLong = true;
                    link.lose("a transaction's work took more than " + workLimitMillis() + " ms");
                  }
                });
    run(work, borrowed.connection())
        .otherwise(failed -> Optional.empty())
        .onComplete(
            done -> link.context().runOnContext(ignored -> answer.tryComplete(done.result())));
    return answer
        .future()
        .onComplete(
            done -> {
              borrowed.end();
              link.context().owner().cancelTimer(timer);
            });
  }

  private static <C> Future<Optional<StoredResponse>> run(
      TransactionWork<C> work, SqlConnection connection) {
    try {
      return work.run(work.connectionType().cast(connection));
    } catch (RuntimeException broken) {
      return Future.failedFuture(broken);
    }
  }

  private Future<CompleteResult> finish(
      List<Future<RowSet<Row>>> before, StoredResponse response, @Nullable String transaction) {
    List<Future<RowSet<Row>>> all = new ArrayList<>(before);
    for (int i = 0; i < writes.size(); i++) {
      String sql = statements.computeIfAbsent(writes.get(i).kind(), EffectSql::alone);
      all.add(link.send(sql, values.get(i)));
    }
    Buffer encoded = Buffer.buffer(StoredResponseCodec.encode(response));
    Future<RowSet<Row>> done = send(holding.complete(encoded, transaction));
    all.add(done);
    all.add(link.sendCommand("COMMIT"));
    return Future.join(all)
        .transform(
            joined -> {
              if (joined.failed()) {
                return refused(all, before.size());
              }
              Row row = done.result().iterator().next();
              return Future.succeededFuture(
                  new CompleteResult.Completed(
                      Records.expiry(row.getLong("expires_at_millis"), row.getLong("now"))));
            });
  }

  /** The first failure tells; those after it only say that the transaction had failed by then. */
  private Future<CompleteResult> refused(List<Future<RowSet<Row>>> all, int firstEffect) {
    int at = 0;
    while (all.get(at).succeeded()) {
      at++;
    }
    Throwable cause = all.get(at).cause();
    if (!(cause instanceof PgException refused)) {
      return Future.failedFuture(cause);
    }
    if (SqlState.of(refused).equals(SqlState.FAILED_TRANSACTION)) {
      // The work went on after a statement that failed.
      return Future.succeededFuture(new RolledBack());
    }
    boolean commits = at == all.size() - 1;
    int effect = commits ? writes.size() - 1 : at - firstEffect;
    boolean isEffect = effect >= 0 && effect < writes.size();
    if (isEffect && SqlState.isRefusal(refused)) {
      return Future.succeededFuture(
          new EffectRefused(writes.get(effect).effect().name(), Failures.sayOf(refused)));
    }
    return commits && SqlState.isRefusal(refused)
        ? Future.succeededFuture(new RolledBack())
        : Future.failedFuture(cause);
  }
}
