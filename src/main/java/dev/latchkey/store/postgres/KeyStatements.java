package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StepResult;
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
 * Statements that travel by themselves, pipelined: reads over one connection, writes over another,
 * so that no read waits behind a locked row. May be called on any thread.
 */
final class KeyStatements {

  private static final int STEP_TRIES = 8;

  private final Link reads;
  private final Link writes;
  private final Limits limits;

  KeyStatements(Link reads, Link writes, Limits limits) {
    this.reads = reads;
    this.writes = writes;
    this.limits = limits;
  }

  Future<KeyState> lookup(ScopedKey key) {
    return reads.whenReady(() -> reads.send(KeySql.LOOKUP, Keys.values(key))).map(Records::state);
  }

  /** Both leave together; the server takes the second snapshot after the first commit. */
  Future<KeyState> watch(ScopedKey key) {
    return unhindered(
        writes,
        () -> {
          Future<RowSet<Row>> registered = writes.send(KeySql.WATCH, Keys.values(key));
          Future<RowSet<Row>> read = writes.send(KeySql.LOOKUP, Keys.values(key));
          return registered.compose(done -> read).map(Records::state);
        });
  }

  Future<List<KeyRecord>> records(String tenant, String key, int limit) {
    return reads
        .whenReady(() -> reads.send(KeySql.RECORDS, Tuple.of(tenant, key, (long) limit)))
        .map(
            rows -> {
              List<KeyRecord> records = new ArrayList<>();
              rows.forEach(row -> records.add(Records.record(tenant, key, row)));
              return List.copyOf(records);
            });
  }

  Future<StepResult> recordStep(Claim claim, String name, Buffer result) {
    boolean fits = result.length() <= IdempotencyStore.MAX_STEP_BYTES;
    Tuple values =
        Keys.values(claim.key())
            .addValue(Keys.bytes(claim.token()))
            .addString(name)
            .addBuffer(fits ? result.copy() : Buffer.buffer())
            .addInteger(fits ? IdempotencyStore.MAX_STEPS : 0);
    return recordStep(values, STEP_TRIES);
  }

  private Future<StepResult> recordStep(Tuple values, int tries) {
    return unhindered(writes, () -> writes.send(KeySql.RECORD_STEP, values))
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
    return probe(reads, "latchkey_key");
  }

  /** Whether the server can be written to, and has a table. */
  static Future<Void> probe(Link link, String table) {
    return link.whenReady(
        () -> link.send(KeySql.PROBE, Tuple.of(table)).compose(rows -> judge(link, rows)));
  }

  private static Future<Void> judge(Link link, RowSet<Row> probed) {
    Row row = probed.iterator().next();
    if (row.getBoolean("read_only")) {
      String why = "the server takes no writes";
      link.giveUpIfIdle(why);
      return Future.failedFuture(Failures.notDone(why));
    }
    return row.getBoolean("migrated")
        ? Future.succeededFuture()
        : Future.failedFuture(Failures.notDone("the schema is missing: migrate first"));
  }

  /** As {@link Link#whenReady}, again and again while another transaction holds the row. */
  private <T> Future<T> unhindered(Link link, Supplier<Future<T>> sending) {
    return unhindered(link, sending, System.nanoTime());
  }

  private <T> Future<T> unhindered(Link link, Supplier<Future<T>> sending, long sinceNanos) {
    return link.whenReady(sending)
        .recover(
            cause -> {
              boolean again =
                  cause instanceof PgException refused
                      && SqlState.isContention(refused)
                      && !isLate(sinceNanos);
              return again ? unhindered(link, sending, sinceNanos) : Future.failedFuture(cause);
            });
  }

  private boolean isLate(long sinceNanos) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos);
    return millis >= limits.queueLimitMillis();
  }
}
