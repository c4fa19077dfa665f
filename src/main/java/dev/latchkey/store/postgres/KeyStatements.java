package dev.latchkey.store.postgres;

import dev.latchkey.idempotency.spi.Claim;
import dev.latchkey.idempotency.spi.IdempotencyStore;
import dev.latchkey.idempotency.spi.KeyRecord;
import dev.latchkey.idempotency.spi.KeyState;
import dev.latchkey.idempotency.spi.ScopedKey;
import dev.latchkey.idempotency.spi.StepResult;
import dev.latchkey.idempotency.spi.StoreException;
import dev.latchkey.idempotency.spi.StoreException.Outcome;
import dev.latchkey.idempotency.spi.Token;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Statements that travel by themselves, pipelined: reads over one connection, writes over another,
 * so that no read waits behind a locked row. May be called on any thread.
 */
final class KeyStatements {

  private static final int RENEWED_AT_ONCE = 1_000;
  private static final long RENEW_AGAIN_MILLIS = 20;
  private static final int STEP_TRIES = 8;

  private final Link reads;
  private final Link writes;
  private final PostgresStoreOptions limits;

  KeyStatements(Link reads, Link writes, PostgresStoreOptions limits) {
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

  /**
   * Renews claims.
   *
   * @return the tokens of those that are lost, once all the others are renewed; fails when another
   *     transaction holds one of them for longer than {@link
   *     PostgresStoreOptions#queueLimitMillis}, and what of the others was renewed stays so
   */
  Future<Set<Token>> renew(List<Claim> claims) {
    Future<Set<Token>> lost = Future.succeededFuture(new HashSet<>());
    for (int from = 0; from < claims.size(); from += RENEWED_AT_ONCE) {
      List<Claim> some = claims.subList(from, Math.min(claims.size(), from + RENEWED_AT_ONCE));
      lost =
          lost.compose(
              known ->
                  renewSome(some, System.nanoTime())
                      .map(
                          more -> {
                            known.addAll(more);
                            return known;
                          }));
    }
    return lost.map(Set::copyOf);
  }

  /** Names what is lost once all the others are renewed, however often they have to be sent. */
  private Future<List<Token>> renewSome(List<Claim> claims, long sinceNanos) {
    return writes
        .whenReady(() -> writes.send(KeySql.RENEW, renewal(claims)))
        .compose(
            rows -> {
              List<Token> lost = new ArrayList<>();
              List<Claim> held = new ArrayList<>();
              for (Row row : rows) {
                Claim claim = claims.get(row.getLong("ord").intValue() - 1);
                if (row.getBoolean("lost")) {
                  lost.add(claim.token());
                } else {
                  held.add(claim);
                }
              }
              return held.isEmpty()
                  ? Future.succeededFuture(lost)
                  : renewHeld(held, sinceNanos)
                      .map(more -> Stream.concat(lost.stream(), more.stream()).toList());
            });
  }

  /** Tries again after a while, since a row that another transaction holds is not waited for. */
  private Future<List<Token>> renewHeld(List<Claim> held, long sinceNanos) {
    if (isLate(sinceNanos)) {
      // Those beside them are renewed already.
      return Future.failedFuture(
          new StoreException(
              Outcome.UNKNOWN, "other transactions hold " + held.size() + " of the keys"));
    }
    Promise<Void> paused = Promise.promise();
    writes.context().setTimer(RENEW_AGAIN_MILLIS, timer -> paused.complete());
    return paused.future().compose(done -> renewSome(held, sinceNanos));
  }

  private static Tuple renewal(List<Claim> claims) {
    return Tuple.tuple()
        .addValue(Keys.tenants(claims, Claim::key))
        .addValue(Keys.keys(claims, Claim::key))
        .addValue(Keys.routes(claims, Claim::key))
        .addValue(Keys.tokens(claims, Claim::token))
        .addValue(claims.stream().map(it -> Keys.millis(it.leaseMillis())).toArray(Long[]::new));
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
                  : Future.failedFuture(
                      Failures.notDone("the key changes too often; a retry is safe"));
            });
  }

  Future<Void> probe() {
    return probe(reads, "latchkey_key");
  }

  /** Whether the server can be written to, and has a table. */
  static Future<Void> probe(Link link, String table) {
    return link.whenReady(() -> link.send(KeySql.PROBE, Tuple.of(table)))
        .compose(
            rows -> {
              Row row = rows.iterator().next();
              if (row.getBoolean("read_only")) {
                return Future.failedFuture(Failures.notDone("the server takes no writes"));
              }
              return row.getBoolean("migrated")
                  ? Future.succeededFuture()
                  : Future.failedFuture(Failures.notDone("the schema is missing: migrate first"));
            });
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
