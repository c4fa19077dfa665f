package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Token;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.Receipts;
import dev.latchkey.store.Receipts.Committed;
import dev.latchkey.store.Receipts.Taken;
import dev.latchkey.store.postgres.batch.BatchStatement;
import dev.latchkey.store.postgres.batch.CallOutcome;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.connection.SqlState;
import dev.latchkey.store.postgres.effect.EffectBatch;
import dev.latchkey.store.postgres.effect.EffectSql;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.KeyRows;
import dev.latchkey.store.postgres.sql.ReceiptSql;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Commits many receipts in one statement, with at most one effect each, all of one kind. */
final class CommitStatement implements BatchStatement<ReceiptCommit, Receipts.Result> {

  private static final long FIXED_BYTES = 300;

  private final EffectBatch batch = new EffectBatch(EffectSql.ofMany(ReceiptSql.COMMIT, 11));

  @Override
  public String operation() {
    return "commit receipt";
  }

  @Override
  public long bytes(ReceiptCommit call) {
    return FIXED_BYTES + call.response().length();
  }

  /** The statement identifies its calls by their tokens. */
  @Override
  public Predicate<ReceiptCommit> fitting() {
    Predicate<ReceiptCommit> fits = EffectBatch.fitting(ReceiptCommit::key, ReceiptCommit::effect);
    Set<Token> tokens = new HashSet<>();
    return commit ->
        !tokens.contains(commit.claim().token())
            && fits.test(commit)
            && tokens.add(commit.claim().token());
  }

  @Override
  public Future<List<CallOutcome<Receipts.Result>>> run(
      ReconnectingConnection connection, List<ReceiptCommit> calls) {
    return batch
        .send(connection, values(calls), calls.stream().map(ReceiptCommit::effect).toList())
        .compose(
            rows ->
                CallOutcome.ofRows(
                    operation(),
                    calls,
                    rows,
                    row -> new Committed(KeyRows.expiry(row)),
                    others -> found(connection, others)));
  }

  private static Tuple values(List<ReceiptCommit> calls) {
    return KeyParameters.arrays(calls, ReceiptCommit::key)
        .addValue(KeyParameters.buffers(calls, ReceiptCommit::fingerprint))
        .addValue(KeyParameters.buffers(calls, ReceiptCommit::memberSketch))
        .addValue(KeyParameters.buffers(calls, ReceiptCommit::token))
        .addValue(calls.stream().map(it -> it.attempted().attempt()).toArray(Integer[]::new))
        .addValue(KeyParameters.buffers(calls, ReceiptCommit::response))
        .addValue(KeyParameters.longs(calls, it -> it.attempted().createdAtEpochMillis()))
        .addValue(KeyParameters.longs(calls, ReceiptCommit::expiresAtMillis))
        .addValue(KeyParameters.longs(calls, ReceiptCommit::keptMillis));
  }

  private static Future<List<CallOutcome<Receipts.Result>>> found(
      ReconnectingConnection connection, List<ReceiptCommit> commits) {
    return FindStatement.find(connection, commits.stream().map(ReceiptCommit::key).toList())
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

  @Override
  public Optional<Receipts.Result> refused(ReceiptCommit call, PgException cause) {
    return SqlState.isRefusal(cause)
        ? call.effect()
            .map(write -> new Receipts.Refused(write.effect().name(), Failures.message(cause)))
        : Optional.empty();
  }
}
