package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.store.postgres.batch.CallOutcome;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.effect.EffectSql;
import dev.latchkey.store.postgres.effect.EffectWrite;
import dev.latchkey.store.postgres.effect.StatementWithEffects;
import dev.latchkey.store.postgres.sql.CompleteSql;
import dev.latchkey.store.postgres.sql.KeyParameters;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;

/** Completes many keys in one statement. */
final class CompleteStatement
    extends StatementWithEffects<CompleteStatement.Completion, CompleteResult> {

  /**
   * A completion that shares a statement with others.
   *
   * @param claim the claim that it ends
   * @param response the encoded response
   * @param effect the effect to write, if any
   */
  record Completion(Claim claim, Buffer response, Optional<EffectWrite> effect) implements Ending {}

  static final EffectSql MANY = EffectSql.ofMany(CompleteSql.COMPLETE, 6);
  static final EffectSql ONE = EffectSql.ofOne(CompleteSql.COMPLETE_ONE, 6);

  @Override
  public String operation() {
    return "complete";
  }

  @Override
  protected CompleteResult ended(Expiry expiry) {
    return new CompleteResult.Completed(expiry);
  }

  @Override
  protected CompleteResult refused(String effect, String detail) {
    return new CompleteResult.EffectRefused(effect, detail);
  }

  @Override
  protected Future<RowSet<Row>> send(ReconnectingConnection connection, List<Completion> calls) {
    if (calls.size() == 1) {
      // The fixed part of the statement for many is most of its cost for a single call.
      return sendOne(connection, ONE, value(calls.get(0)), calls.get(0));
    }
    Tuple values =
        KeyParameters.arrays(calls, it -> it.claim().key())
            .addValue(KeyParameters.buffers(calls, it -> KeyParameters.bytes(it.claim().token())))
            .addValue(
                KeyParameters.longs(calls, it -> KeyParameters.millis(it.claim().leaseMillis())))
            .addValue(KeyParameters.buffers(calls, Completion::response));
    return sendMany(connection, MANY, values, calls);
  }

  private static Tuple value(Completion call) {
    return KeyParameters.values(call.claim().key())
        .addBuffer(KeyParameters.bytes(call.claim().token()))
        .addLong(KeyParameters.millis(call.claim().leaseMillis()))
        .addBuffer(call.response());
  }

  @Override
  protected Future<List<CallOutcome<CompleteResult>>> others(
      ReconnectingConnection connection, List<Completion> calls) {
    List<Claim> claims = calls.stream().map(Completion::claim).toList();
    return ClaimState.outcomes(connection, claims, CompleteStatement::outcome);
  }

  private static CallOutcome<CompleteResult> outcome(ClaimState state) {
    return switch (state.standing()) {
      case COMPLETED -> new CallOutcome.Done<>(new CompleteResult.Completed(state.expiry()));
      case HELD -> ClaimState.retry("complete");
      case RELEASED, LOST -> new CallOutcome.Done<>(new CompleteResult.LostLease());
    };
  }
}
