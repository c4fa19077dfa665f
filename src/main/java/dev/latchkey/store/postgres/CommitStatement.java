package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Expiry;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.Receipts;
import dev.latchkey.store.Receipts.Committed;
import dev.latchkey.store.Receipts.Taken;
import dev.latchkey.store.postgres.batch.CallOutcome;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.effect.EffectSql;
import dev.latchkey.store.postgres.effect.StatementWithEffects;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.ReceiptSql;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Commits many receipts in one statement. */
final class CommitStatement extends StatementWithEffects<ReceiptCommit, Receipts.Result> {

  private static final EffectSql SQL = EffectSql.ofMany(ReceiptSql.COMMIT, 11);

  @Override
  public String operation() {
    return "commit receipt";
  }

  @Override
  protected Receipts.Result ended(Expiry expiry) {
    return new Committed(expiry);
  }

  @Override
  protected Receipts.Result refused(String effect, String detail) {
    return new Receipts.Refused(effect, detail);
  }

  @Override
  protected Future<RowSet<Row>> send(ReconnectingConnection connection, List<ReceiptCommit> calls) {
    Tuple values =
        KeyParameters.arrays(calls, ReceiptCommit::key)
            .addValue(KeyParameters.buffers(calls, ReceiptCommit::fingerprint))
            .addValue(KeyParameters.buffers(calls, ReceiptCommit::memberSketch))
            .addValue(KeyParameters.buffers(calls, ReceiptCommit::token))
            .addValue(calls.stream().map(it -> it.attempted().attempt()).toArray(Integer[]::new))
            .addValue(KeyParameters.buffers(calls, ReceiptCommit::response))
            .addValue(KeyParameters.longs(calls, it -> it.attempted().createdAtEpochMillis()))
            .addValue(KeyParameters.longs(calls, ReceiptCommit::expiresAtMillis))
            .addValue(KeyParameters.longs(calls, ReceiptCommit::keptMillis));
    return sendMany(connection, SQL, values, calls);
  }

  @Override
  protected Future<List<CallOutcome<Receipts.Result>>> others(
      ReconnectingConnection connection, List<ReceiptCommit> commits) {
    return FindStatement.ofCommits(connection, commits)
        .map(
            found ->
                IntStream.range(0, commits.size())
                    .mapToObj(i -> found.get(i).then(it -> outcome(commits.get(i), it)))
                    .toList());
  }

  private static CallOutcome<Receipts.Result> outcome(
      ReceiptCommit commit, Optional<Receipt> found) {
    return found
        .<CallOutcome<Receipts.Result>>map(it -> new CallOutcome.Done<>(resultOf(commit, it)))
        .orElseGet(() -> ClaimState.retry("commit receipt"));
  }

  /** Returns the result if the key has a receipt already. */
  static Receipts.Result resultOf(ReceiptCommit commit, Receipt found) {
    return found.token().equals(commit.claim().token())
        ? new Committed(found.expiry())
        : new Taken(found);
  }
}
