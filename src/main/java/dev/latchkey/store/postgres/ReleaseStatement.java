package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.ScopedKey;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Releases many keys in one statement. The rows stay, and all that they know. */
final class ReleaseStatement implements BatchStatement<Claim, ReleaseResult> {

  /** Arrays of tenant, key, route and token. */
  static final String RELEASE =
      """
      WITH held AS MATERIALIZED (
        SELECT i.ord, k.place
        FROM (
          SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[]) WITH ORDINALITY
            AS i(tenant, key, route, token, ord)
          ORDER BY tenant COLLATE "C", key COLLATE "C", route COLLATE "C"
        ) i
        CROSS JOIN LATERAL (
          SELECT k.ctid AS place FROM latchkey_key k
          WHERE k.tenant = i.tenant AND k.key = i.key AND k.route = i.route
            AND k.token = i.token AND k.phase = 0
            AND greatest(k.expires_at_millis, k.lease_until_millis) > latchkey_now()
          FOR NO KEY UPDATE
        ) k
      ), done AS (
        UPDATE latchkey_key k SET phase = 2, lease_until_millis = latchkey_now()
        FROM held h
        WHERE k.ctid = h.place
        RETURNING h.ord, k.tenant, k.key, k.route, k.awaited
      )
      SELECT d.ord,
        %s
      FROM done d
      """
          .formatted(CompleteSql.NOTIFY);

  private static final long FIXED_BYTES = 100;

  @Override
  public String operation() {
    return "release";
  }

  @Override
  public long bytes(Claim call) {
    return FIXED_BYTES;
  }

  @Override
  public Predicate<Claim> fitting() {
    Set<ScopedKey> keys = new HashSet<>();
    return claim -> keys.add(claim.key());
  }

  @Override
  public Future<List<Verdict<ReleaseResult>>> run(Link link, List<Claim> calls) {
    Tuple values =
        Keys.arrays(calls, Claim::key).addValue(Keys.buffers(calls, it -> Keys.bytes(it.token())));
    return link.send(RELEASE, values)
        .compose(
            rows -> EffectBatch.told(operation(), calls, done(rows), left -> resolved(link, left)));
  }

  private static Map<Integer, ReleaseResult> done(RowSet<Row> rows) {
    Map<Integer, ReleaseResult> done = new HashMap<>();
    for (Row row : rows) {
      done.put(row.getLong("ord").intValue() - 1, ReleaseResult.RELEASED);
    }
    return done;
  }

  private static Future<List<Verdict<ReleaseResult>>> resolved(Link link, List<Claim> undone) {
    return Resolution.of(link, undone)
        .map(left -> left.stream().map(ReleaseStatement::verdict).toList());
  }

  private static Verdict<ReleaseResult> verdict(Resolution left) {
    return switch (left.standing()) {
      case RELEASED -> new Verdict.Settled<>(ReleaseResult.RELEASED);
      case HELD ->
          new Verdict.Again<>(
              Resolution.TRIES,
              new Verdict.Failed<>(Failures.notDone("release: the key changes hands")));
      case COMPLETED, LOST -> new Verdict.Settled<>(ReleaseResult.LOST_LEASE);
    };
  }
}
