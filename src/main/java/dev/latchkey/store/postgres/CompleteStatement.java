package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.store.postgres.batch.BatchStatement;
import dev.latchkey.store.postgres.batch.CallOutcome;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.connection.SqlState;
import dev.latchkey.store.postgres.effect.EffectBatch;
import dev.latchkey.store.postgres.effect.EffectSql;
import dev.latchkey.store.postgres.effect.EffectWrite;
import dev.latchkey.store.postgres.sql.CompleteSql;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.KeyRows;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Completes many keys in one statement, with at most one effect each, all of one kind. */
final class CompleteStatement
    implements BatchStatement<CompleteStatement.Completion, CompleteResult> {

  /**
   * A completion that shares a statement with others.
   *
   * @param claim the claim that it ends
   * @param response the encoded response
   * @param effect the effect to write, if any
   */
  record Completion(Claim claim, Buffer response, Optional<EffectWrite> effect) {}

  private static final long FIXED_BYTES = 200;

  static final EffectSql MANY = EffectSql.ofMany(CompleteSql.COMPLETE, 6);
  static final EffectSql ONE = EffectSql.ofOne(CompleteSql.COMPLETE_ONE, 6);

  private final EffectBatch many = new EffectBatch(MANY);
  private final EffectBatch one = new EffectBatch(ONE);

  @Override
  public String operation() {
    return "complete";
  }

  @Override
  public long bytes(Completion call) {
    return FIXED_BYTES + call.response().length();
  }

  @Override
  public Predicate<Completion> fitting() {
    return EffectBatch.fitting(it -> it.claim().key(), Completion::effect);
  }

  @Override
  public Future<List<CallOutcome<CompleteResult>>> run(
      ReconnectingConnection connection, List<Completion> calls) {
    return send(connection, calls)
        .compose(
            rows ->
                CallOutcome.ofRows(
                    operation(),
                    calls,
                    rows,
                    row -> new CompleteResult.Completed(KeyRows.expiry(row)),
                    others ->
                        ClaimState.outcomes(
                            connection,
                            others.stream().map(Completion::claim).toList(),
                            CompleteStatement::outcome)));
  }

  private Future<RowSet<Row>> send(ReconnectingConnection connection, List<Completion> calls) {
    if (calls.size() == 1) {
      // The fixed part of the statement for many is most of its cost for a single call.
      return one.sendOne(connection, value(calls.get(0)), calls.get(0).effect());
    }
    List<Optional<EffectWrite>> writes = calls.stream().map(Completion::effect).toList();
    return many.send(connection, values(calls), writes);
  }

  private static Tuple value(Completion call) {
    return KeyParameters.values(call.claim().key())
        .addBuffer(KeyParameters.bytes(call.claim().token()))
        .addLong(KeyParameters.millis(call.claim().leaseMillis()))
        .addBuffer(call.response());
  }

  private static Tuple values(List<Completion> calls) {
    return KeyParameters.arrays(calls, it -> it.claim().key())
        .addValue(KeyParameters.buffers(calls, it -> KeyParameters.bytes(it.claim().token())))
        .addValue(KeyParameters.longs(calls, it -> KeyParameters.millis(it.claim().leaseMillis())))
        .addValue(KeyParameters.buffers(calls, Completion::response));
  }

  private static CallOutcome<CompleteResult> outcome(ClaimState state) {
    return switch (state.standing()) {
      case COMPLETED -> new CallOutcome.Done<>(new CompleteResult.Completed(state.expiry()));
      case HELD -> ClaimState.retry("complete");
      case RELEASED, LOST -> new CallOutcome.Done<>(new CompleteResult.LostLease());
    };
  }

  @Override
  public Optional<CompleteResult> refused(Completion call, PgException cause) {
    return SqlState.isRefusal(cause)
        ? call.effect()
            .map(
                write ->
                    new CompleteResult.EffectRefused(
                        write.effect().name(), Failures.message(cause)))
        : Optional.empty();
  }
}
