package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.Token;
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
 * Lets leases run from now on, many in a statement. A row that another transaction holds is not
 * waited for, since that would hold up those beside it; its renewal is sent again. May be called on
 * any thread.
 */
final class Renewals {

  private static final int AT_ONCE = 1_000;
  private static final long AGAIN_MILLIS = 20;

  private final Link writes;
  private final Limits limits;
  private final LongSupplier nanos;
  private final LongFunction<Future<Void>> pause;

  Renewals(Link writes, Limits limits) {
    this(writes, limits, System::nanoTime, millis -> pause(writes, millis));
  }

  /**
   * As above, with time of the test's.
   *
   * @param nanos a clock of any origin
   * @param pause completes after so many milliseconds
   */
  Renewals(Link writes, Limits limits, LongSupplier nanos, LongFunction<Future<Void>> pause) {
    this.writes = writes;
    this.limits = limits;
    this.nanos = nanos;
    this.pause = pause;
  }

  private static Future<Void> pause(Link link, long millis) {
    Promise<Void> paused = Promise.promise();
    link.context().setTimer(millis, timer -> paused.complete());
    return paused.future();
  }

  /**
   * Renews claims.
   *
   * @return the tokens of those that are lost, once all the others are renewed; fails when another
   *     transaction holds one of them for longer than {@link Limits#queueLimitMillis}, and what of
   *     the others was renewed stays so
   */
  Future<Set<Token>> renew(List<Claim> claims) {
    Future<Set<Token>> lost = Future.succeededFuture(new HashSet<>());
    for (int from = 0; from < claims.size(); from += AT_ONCE) {
      List<Claim> some = claims.subList(from, Math.min(claims.size(), from + AT_ONCE));
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
    long millis = TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - sinceNanos);
    if (millis >= limits.queueLimitMillis()) {
      // Those beside them are renewed already.
      return Future.failedFuture(
          Failures.unknown("other transactions hold " + held.size() + " of the keys"));
    }
    return pause.apply(AGAIN_MILLIS).compose(done -> renewSome(held, sinceNanos));
  }

  private static Tuple renewal(List<Claim> claims) {
    return Keys.arrays(claims, Claim::key)
        .addValue(Keys.buffers(claims, it -> Keys.bytes(it.token())))
        .addValue(Keys.longs(claims, it -> Keys.millis(it.leaseMillis())));
  }
}
