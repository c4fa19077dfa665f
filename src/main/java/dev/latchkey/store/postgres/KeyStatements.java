package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.store.postgres.connection.Connections;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.Limits;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.connection.SqlState;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.KeyRows;
import dev.latchkey.store.postgres.sql.KeySql;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The statements about keys that are not batched, pipelined: reads over one connection, writes over
 * another, so that no read waits behind a locked row. Safe for any thread.
 */
final class KeyStatements {

  private static final int STEP_TRIES = 8;

  private final ReconnectingConnection reads;
  private final ReconnectingConnection writes;
  private final Limits limits;

  KeyStatements(ReconnectingConnection reads, ReconnectingConnection writes, Limits limits) {
    this.reads = reads;
    this.writes = writes;
    this.limits = limits;
  }

  Future<KeyState> lookup(ScopedKey key) {
    return reads
        .whenReady(() -> reads.send(KeySql.LOOKUP, KeyParameters.values(key)))
        .map(KeyRows::state);
  }

  /** Sends both statements at once; the second sees the state after the commit of the first. */
  Future<KeyState> watch(ScopedKey key) {
    return retried(
        writes,
        () -> {
          Future<RowSet<Row>> registered = writes.send(KeySql.WATCH, KeyParameters.values(key));
          Future<RowSet<Row>> read = writes.send(KeySql.LOOKUP, KeyParameters.values(key));
          return registered.compose(done -> read).map(KeyRows::state);
        });
  }

  Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    if (!KeyParameters.isText(tenant) || !KeyParameters.isText(key)) {
      return Future.succeededFuture(List.of());
    }
    return reads
        .whenReady(() -> reads.send(KeySql.RECORDS, Tuple.of(tenant, key, (long) limit)))
        .map(
            rows -> {
              List<KeyRecord> records = new ArrayList<>();
              rows.forEach(row -> records.add(KeyRows.record(tenant, key, row)));
              return List.copyOf(records);
            });
  }

  Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    int max = IdempotencyStore.MAX_STEP_NAME_CHARS;
    if (name.isEmpty() || name.length() > max || !KeyParameters.isText(name)) {
      return Future.failedFuture(
          Failures.permanent("the name of a step has 1 to " + max + " characters and no NUL"));
    }
    boolean fits = result.length() <= IdempotencyStore.MAX_STEP_BYTES;
    Tuple values =
        KeyParameters.values(claim.key())
            .addValue(KeyParameters.bytes(claim.token()))
            .addString(name)
            .addBuffer(fits ? result.copy() : Buffer.buffer())
            .addInteger(fits ? IdempotencyStore.MAX_STEPS : 0);
    return recordStep(values, STEP_TRIES);
  }

  private Future<StepResult> recordStep(Tuple values, int tries) {
    return retried(writes, () -> writes.send(KeySql.RECORD_STEP, values))
        .compose(
            rows -> {
              if (rows.size() == 0) {
                return Future.succeededFuture(StepResult.LOST_LEASE);
              }
              Row row = rows.iterator().next();
              if (row.getBoolean("known") || row.getBoolean("added")) {
                return Future.succeededFuture(StepResult.RECORDED);
              }
              if (row.getBoolean("full")) {
                return Future.succeededFuture(StepResult.TOO_MANY);
              }
              return tries > 1
                  ? recordStep(values, tries - 1)
                  : Future.failedFuture(Failures.notDone("the key changes too often"));
            });
  }

  Future<Void> probe() {
    return Connections.probe(reads, "latchkey_key");
  }

  /** Sends when the connection is ready, and again while another transaction holds the row. */
  private <T> Future<T> retried(ReconnectingConnection connection, Supplier<Future<T>> sending) {
    return retried(connection, sending, System.nanoTime());
  }

  private <T> Future<T> retried(
      ReconnectingConnection connection, Supplier<Future<T>> sending, long sinceNanos) {
    return connection
        .whenReady(sending)
        .recover(
            cause -> {
              boolean retry =
                  cause instanceof PgException refused
                      && SqlState.isContention(refused)
                      && !isLate(sinceNanos);
              return retry ? retried(connection, sending, sinceNanos) : Future.failedFuture(cause);
            });
  }

  private boolean isLate(long sinceNanos) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos);
    return millis >= limits.queueLimitMillis();
  }
}
