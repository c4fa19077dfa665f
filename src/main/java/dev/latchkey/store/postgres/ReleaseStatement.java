package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.postgres.batch.BatchStatement;
import dev.latchkey.store.postgres.batch.CallOutcome;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.effect.EffectBatch;
import dev.latchkey.store.postgres.sql.CompleteSql;
import dev.latchkey.store.postgres.sql.KeyParameters;
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

/** Releases many keys in one statement; the rows stay. */
final class ReleaseStatement implements BatchStatement<Claim, ReleaseResult> {

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
  public Future<List<CallOutcome<ReleaseResult>>> run(
      ReconnectingConnection connection, List<Claim> calls) {
    Tuple values =
        KeyParameters.arrays(calls, Claim::key)
            .addValue(KeyParameters.buffers(calls, it -> KeyParameters.bytes(it.token())));
    return connection
        .send(CompleteSql.RELEASE, values)
        .compose(
            rows ->
                EffectBatch.outcomes(
                    operation(), calls, done(rows), left -> resolved(connection, left)));
  }

  private static Map<Integer, ReleaseResult> done(RowSet<Row> rows) {
    Map<Integer, ReleaseResult> done = new HashMap<>();
    for (Row row : rows) {
      done.put(row.getLong("ord").intValue() - 1, ReleaseResult.RELEASED);
    }
    return done;
  }

  private static Future<List<CallOutcome<ReleaseResult>>> resolved(
      ReconnectingConnection connection, List<Claim> undone) {
    return ClaimState.of(connection, undone)
        .map(left -> left.stream().map(ReleaseStatement::outcome).toList());
  }

  private static CallOutcome<ReleaseResult> outcome(ClaimState left) {
    return switch (left.standing()) {
      case RELEASED -> new CallOutcome.Done<>(ReleaseResult.RELEASED);
      case HELD ->
          new CallOutcome.Retry<>(
              ClaimState.TRIES,
              new CallOutcome.Failed<>(Failures.notDone("release: the key changes hands")));
      case COMPLETED, LOST -> new CallOutcome.Done<>(ReleaseResult.LOST_LEASE);
    };
  }
}
