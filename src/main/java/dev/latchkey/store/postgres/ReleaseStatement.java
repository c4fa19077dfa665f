package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.postgres.batch.BatchStatement;
import dev.latchkey.store.postgres.batch.CallOutcome;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.sql.CompleteSql;
import dev.latchkey.store.postgres.sql.KeyParameters;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Releases many keys in one statement; the rows stay. */
final class ReleaseStatement implements BatchStatement<Claim, ReleaseResult> {

  @Override
  public String operation() {
    return "release";
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
                CallOutcome.ofRows(
                    operation(),
                    calls,
                    rows,
                    row -> ReleaseResult.RELEASED,
                    others -> ClaimState.outcomes(connection, others, ReleaseStatement::outcome)));
  }

  private static CallOutcome<ReleaseResult> outcome(ClaimState state) {
    return switch (state.standing()) {
      case RELEASED -> new CallOutcome.Done<>(ReleaseResult.RELEASED);
      case HELD -> ClaimState.retry("release");
      case COMPLETED, LOST -> new CallOutcome.Done<>(ReleaseResult.LOST_LEASE);
    };
  }
}
