package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.Token;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.Limits;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.KeySql;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Renews leases, many in a statement. It does not wait for a row that another transaction holds,
 * since that would delay the other renewals; the renewal is sent again. Safe for any thread.
 */
final class Renewals {

  private static final int MAX_BATCH = 1_000;
  private static final long RETRY_MILLIS = 20;

  private final ReconnectingConnection writes;
  private final Limits limits;
  private final LongSupplier nanos;
  private final LongFunction<Future<Void>> pause;

  Renewals(ReconnectingConnection writes, Limits limits) {
    this(writes, limits, System::nanoTime, millis -> pause(writes, millis));
  }

  /**
   * For tests: with an injected clock.
   *
   * @param nanos a clock of any origin
   * @param pause completes after a number of milliseconds
   */
  Renewals(
      ReconnectingConnection writes,
      Limits limits,
      LongSupplier nanos,
      LongFunction<Future<Void>> pause) {
    this.writes = writes;
    this.limits = limits;
    this.nanos = nanos;
    this.pause = pause;
  }

  private static Future<Void> pause(ReconnectingConnection connection, long millis) {
    Promise<Void> paused = Promise.promise();
    connection.context().setTimer(millis, timer -> paused.complete());
    return paused.future();
  }

  /**
   * Renews claims.
   *
   * @return the tokens of the lost ones, once all the others are renewed; fails if another
   *     transaction holds one of them for longer than {@link Limits#queueLimitMillis}, after the
   *     others were renewed
   */
  Future<Set<Token>> renew(List<Claim> claims) {
    Future<Set<Token>> lost = Future.succeededFuture(new HashSet<>());
    for (int from = 0; from < claims.size(); from += MAX_BATCH) {
      List<Claim> some = claims.subList(from, Math.min(claims.size(), from + MAX_BATCH));
      lost =
          lost.compose(
              known ->
                  renewSome(some, nanos.getAsLong())
                      .map(
                          more -> {
                            known.addAll(more);
                            return known;
                          }));
    }
    return lost.map(Set::copyOf);
  }

  /** Returns the lost claims once all the others are renewed, after retries. */
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

  /** Retries after a pause. */
  private Future<List<Token>> renewHeld(List<Claim> held, long sinceNanos) {
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - sinceNanos);
    if (millis >= limits.queueLimitMillis()) {
      // The other claims are renewed already.
      return Future.failedFuture(
          Failures.unknown("other transactions hold " + held.size() + " of the keys"));
    }
    return pause.apply(RETRY_MILLIS).compose(done -> renewSome(held, sinceNanos));
  }

  private static Tuple renewal(List<Claim> claims) {
    return KeyParameters.arrays(claims, Claim::key)
        .addValue(KeyParameters.buffers(claims, it -> KeyParameters.bytes(it.token())))
        .addValue(KeyParameters.longs(claims, it -> KeyParameters.millis(it.leaseMillis())));
  }
}
