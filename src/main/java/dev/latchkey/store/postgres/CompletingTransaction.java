package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.CompleteResult.EffectRefused;
import dev.latchkey.core.spi.CompleteResult.RolledBack;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.core.spi.TransactionWork;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.connection.SqlState;
import dev.latchkey.store.postgres.effect.EffectWrite;
import dev.latchkey.store.postgres.sql.KeyRows;
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

/**
 * One transaction that completes a key. The server raises if the key is lost, so that nothing of a
 * superseded owner is committed, whatever the order of the client's messages. After an error,
 * COMMIT succeeds although it rolled back; so every result is checked, and the completion, which
 * fails in a failed transaction, comes last. Used once, on the event loop of its connection.
 */
final class CompletingTransaction {

  private final ReconnectingConnection connection;
  private final KeyLock key;
  private final List<EffectWrite> writes;
  private final TransactionPool pool;
  private boolean tookTooLong;

  CompletingTransaction(
      ReconnectingConnection connection,
      KeyLock key,
      List<EffectWrite> writes,
      TransactionPool pool) {
    this.pool = pool;
    this.connection = connection;
    this.key = key;
    this.writes = writes;
  }

  /** Sends everything at once; fails with {@link PgException} if it is rolled back. */
  Future<CompleteResult> run(StoredResponse response) {
    // Nothing waits in between: if the transaction idles, the client is gone.
    long idleMillis = Math.min(idleLimitMillis(), connection.limits().statementLimitMillis());
    return finish(begin(idleMillis), response);
  }

  /** Runs the work between the lock and the completion. */
  Future<CompleteResult> run(TransactionWork<?> work) {
    Future<?> renewed = key.renewal().<Future<?>>map(this::send).orElseGet(Future::succeededFuture);
    List<Future<RowSet<Row>>> begun = begin(idleLimitMillis());
    return Future.join(renewed, begun.get(0), begun.get(1))
        .compose(
            done -> connection.connected(),
            cause -> rollBack().transform(done -> Future.failedFuture(cause)))
        .compose(current -> response(work, current))
        .compose(
            response ->
                response.isPresent()
                    ? finish(List.of(), response.get()).recover(this::afterWork)
                    : rollBack().transform(done -> rolledBack(done.failed())));
  }

  /** The work must not be executed again and again because its end fails each time. */
  private Future<CompleteResult> afterWork(Throwable cause) {
    if (!(cause instanceof PgException refused)
        || SqlState.leavesUnknown(refused)
        || TransactionPool.isLost(refused)) {
      return Future.failedFuture(cause);
    }
    return SqlState.isContention(refused)
        ? Future.failedFuture(new WorkRolledBack())
        : Future.succeededFuture(new RolledBack());
  }

  private Future<CompleteResult> rolledBack(boolean broke) {
    return broke && !tookTooLong
        ? Future.failedFuture(new WorkRolledBack())
        : Future.succeededFuture(new RolledBack());
  }

  private Future<?> rollBack() {
    return connection.sendCommand("ROLLBACK");
  }

  private Future<RowSet<Row>> send(KeyLock.Prepared statement) {
    return connection.send(statement.sql(), statement.values());
  }

  private List<Future<RowSet<Row>>> begin(long idleMillis) {
    Future<RowSet<Row>> begun = connection.sendCommand("BEGIN");
    long wholeMillis =
        Math.min(idleMillis + connection.limits().statementLimitMillis(), Integer.MAX_VALUE);
    return List.of(begun, send(key.lockFor(idleMillis, wholeMillis)));
  }

  /** How long the server lets the transaction idle. */
  private long idleLimitMillis() {
    return Math.max(1, Math.min(key.leaseMillis() / 2, Integer.MAX_VALUE));
  }

  /**
   * Ends before the server's limit does: a connection that the server ends looks like an outage.
   */
  private long workLimitMillis() {
    return Math.max(1, idleLimitMillis() * 9 / 10);
  }

  private Future<Optional<StoredResponse>> response(
      TransactionWork<?> work, SqlConnection current) {
    BorrowedConnection borrowed = new BorrowedConnection(current);
    Promise<Optional<StoredResponse>> response = Promise.promise();
    long timer =
        connection
            .context()
            .setTimer(
                workLimitMillis(),
                ignored -> {
                  // A statement may be under way: cut the connection, so that the server rolls
                  // back.
                  if (response.tryComplete(Optional.empty())) {
                    tookTooLong = true;
                    connection.lose(
                        "the work of a transaction took more than " + workLimitMillis() + " ms");
                  }
                });
    run(work, borrowed.connection())
        .otherwise(failed -> Optional.empty())
        .onComplete(
            done ->
                connection.context().runOnContext(ignored -> response.tryComplete(done.result())));
    return response
        .future()
        .onComplete(
            done -> {
              borrowed.end();
              connection.context().owner().cancelTimer(timer);
            });
  }

  private static <C> Future<Optional<StoredResponse>> run(
      TransactionWork<C> work, SqlConnection borrowed) {
    try {
      return work.run(work.connectionType().cast(borrowed));
    } catch (RuntimeException failed) {
      return Future.failedFuture(failed);
    }
  }

  private Future<CompleteResult> finish(List<Future<RowSet<Row>>> before, StoredResponse response) {
    List<Future<RowSet<Row>>> all = new ArrayList<>(before);
    for (EffectWrite write : writes) {
      all.add(connection.send(pool.effect(write.kind()), Tuple.tuple(write.values())));
    }
    Buffer encoded = Buffer.buffer(StoredResponseCodec.encode(response));
    Future<RowSet<Row>> done = send(key.completeWith(encoded));
    all.add(done);
    all.add(connection.sendCommand("COMMIT"));
    return Future.join(all)
        .transform(
            joined -> {
              if (joined.failed()) {
                return refused(all, before.size());
              }
              Row row = done.result().iterator().next();
              return Future.succeededFuture(new CompleteResult.Completed(KeyRows.expiry(row)));
            });
  }

  /** The first failure decides; the later ones only report a failed transaction. */
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
      // The work continued after a failed statement.
      return Future.succeededFuture(new RolledBack());
    }
    boolean commits = at == all.size() - 1;
    int effect = commits ? writes.size() - 1 : at - firstEffect;
    boolean isEffect = effect >= 0 && effect < writes.size();
    if (isEffect && SqlState.isRefusal(refused)) {
      return Future.succeededFuture(
          new EffectRefused(writes.get(effect).name(), Failures.message(refused)));
    }
    return commits && SqlState.isRefusal(refused)
        ? Future.succeededFuture(new RolledBack())
        : Future.failedFuture(cause);
  }
}
