package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.Token;
import dev.latchkey.store.postgres.batch.CallOutcome;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
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

  Renewals(ReconnectingConnection writes, Limits limits) {
    this.writes = writes;
    this.limits = limits;
  }

  /**
   * Renews claims.
   *
   * @return the tokens of the lost ones, once all the others are renewed; fails if another
   *     transaction holds one of them for longer than {@link Limits#queueLimitMillis}, after the
   *     others were renewed
   */
  Future<Set<Token>> renew(List<Claim> claims) {
    Optional<StoreException> refusal =
        claims.stream()
            .flatMap(it -> KeyParameters.refusal("renew", it.key()).stream())
            .findFirst();
    if (refusal.isPresent()) {
      return Future.failedFuture(refusal.get());
    }
    if (claims.size() <= MAX_BATCH) {
      return renew(claims, System.nanoTime());
    }
    return renew(claims.subList(0, MAX_BATCH))
        .compose(
            lost -> renew(claims.subList(MAX_BATCH, claims.size())).map(more -> union(lost, more)));
  }

  private Future<Set<Token>> renew(List<Claim> claims, long sinceNanos) {
    return writes
        .whenReady(() -> writes.send(KeySql.RENEW, renewal(claims)))
        .compose(
            rows -> {
              Set<Token> lost = new HashSet<>();
              List<Claim> held = new ArrayList<>();
              for (Row row : rows) {
                Claim claim = claims.get(CallOutcome.place(row));
                if (row.getBoolean("lost")) {
                  lost.add(claim.token());
                } else {
                  held.add(claim);
                }
              }
              return held.isEmpty()
                  ? Future.succeededFuture(lost)
                  : renewHeld(held, sinceNanos).map(more -> union(lost, more));
            });
  }

  /** Retries after a pause. */
  private Future<Set<Token>> renewHeld(List<Claim> held, long sinceNanos) {
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos);
    if (millis >= limits.queueLimitMillis()) {
      // The other claims are renewed already.
      return Future.failedFuture(
          Failures.unknown("other transactions hold " + held.size() + " of the keys"));
    }
    Promise<Void> paused = Promise.promise();
    writes.context().setTimer(RETRY_MILLIS, timer -> paused.complete());
    return paused.future().compose(done -> renew(held, sinceNanos));
  }

  private static Set<Token> union(Set<Token> some, Set<Token> more) {
    return Stream.concat(some.stream(), more.stream()).collect(Collectors.toUnmodifiableSet());
  }

  private static Tuple renewal(List<Claim> claims) {
    return KeyParameters.arrays(claims, Claim::key)
        .addValue(KeyParameters.buffers(claims, it -> KeyParameters.bytes(it.token())))
        .addValue(KeyParameters.longs(claims, it -> KeyParameters.millis(it.leaseMillis())));
  }
}
