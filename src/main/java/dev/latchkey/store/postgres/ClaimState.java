package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.store.postgres.batch.CallOutcome;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.sql.CompleteSql;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.KeyRows;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import java.util.List;
import java.util.function.Function;

/**
 * The state of a claim that a statement did not find in progress, read by a later statement, which
 * sees what was committed meanwhile.
 *
 * @param standing its state
 * @param expiry when the key expires, unless the claim is lost
 */
record ClaimState(Standing standing, Expiry expiry) {

  /** The state of a claim. */
  enum Standing {
    /** This token completed the key. */
    COMPLETED,
    /** This token released the key. */
    RELEASED,
    /** This token holds the key. */
    HELD,
    /** The key is absent or has another token. */
    LOST
  }

  /** Maximum number of statements for a claim that is found {@link Standing#HELD}. */
  private static final int TRIES = 4;

  private static final ClaimState LOST = new ClaimState(Standing.LOST, new Expiry(0, 0));

  /** Reads the state of one claim; the connection must be ready. */
  static Future<ClaimState> of(ReconnectingConnection connection, Claim claim) {
    return read(connection, List.of(claim)).compose(states -> states.get(0).future());
  }

  /** Reads the states of claims and decides the outcomes of their calls, in their order. */
  static <R> Future<List<CallOutcome<R>>> outcomes(
      ReconnectingConnection connection,
      List<Claim> claims,
      Function<ClaimState, CallOutcome<R>> outcome) {
    return read(connection, claims)
        .map(states -> states.stream().map(state -> state.then(outcome)).toList());
  }

  /** The outcome of a call whose row changed while its statement ran. */
  static <R> CallOutcome<R> retry(String operation) {
    return new CallOutcome.Retry<>(
        TRIES, new CallOutcome.Failed<>(Failures.notDone(operation + ": the key changes hands")));
  }

  private static Future<List<CallOutcome<ClaimState>>> read(
      ReconnectingConnection connection, List<Claim> claims) {
    return connection
        .send(
            CompleteSql.STATES,
            KeyParameters.arrays(claims, Claim::key)
                .addValue(KeyParameters.buffers(claims, it -> KeyParameters.bytes(it.token()))))
        .compose(
            rows ->
                CallOutcome.ofRows(
                    "read",
                    claims,
                    rows,
                    row -> state(claims.get(CallOutcome.place(row)), row),
                    absent -> Future.succeededFuture(CallOutcome.all(absent, LOST))));
  }

  private static ClaimState state(Claim claim, Row row) {
    return KeyParameters.token(row.getBuffer("token")).equals(claim.token())
        ? new ClaimState(standing(row), KeyRows.expiry(row))
        : LOST;
  }

  private static Standing standing(Row row) {
    return switch (KeyRows.phase(row.getInteger("phase"))) {
      case COMPLETED -> Standing.COMPLETED;
      case RELEASED -> Standing.RELEASED;
      case IN_PROGRESS -> Standing.HELD;
    };
  }
}
