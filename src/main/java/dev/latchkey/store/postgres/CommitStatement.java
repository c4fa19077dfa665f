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
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Commits many receipts in one statement, with at most one effect each, all of one kind. */
final class CommitStatement implements BatchStatement<ReceiptCommit, Receipts.Result> {

  private static final long FIXED_BYTES = 300;

  /** Maximum number of statements for a receipt that is neither stored nor found. */
  private static final int TRIES = 4;

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
                EffectBatch.outcomes(
                    operation(), calls, done(rows), left -> resolved(connection, left)));
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

  private static Map<Integer, Receipts.Result> done(RowSet<Row> rows) {
    Map<Integer, Receipts.Result> done = new HashMap<>();
    for (Row row : rows) {
      done.put(
          row.getLong("ord").intValue() - 1,
          new Committed(KeyRows.expiry(row.getLong("expires_at_millis"), row.getLong("now"))));
    }
    return done;
  }

  private static Future<List<CallOutcome<Receipts.Result>>> resolved(
      ReconnectingConnection connection, List<ReceiptCommit> undone) {
    return ReceiptRows.find(connection, undone.stream().map(ReceiptCommit::key).toList())
        .map(
            found -> {
              List<CallOutcome<Receipts.Result>> outcomes = new ArrayList<>(undone.size());
              for (int i = 0; i < undone.size(); i++) {
                outcomes.add(outcome(undone.get(i), found.get(i)));
              }
              return outcomes;
            });
  }

  private static CallOutcome<Receipts.Result> outcome(
      ReceiptCommit commit, Future<Optional<Receipt>> found) {
    if (found.failed()) {
      return new CallOutcome.Failed<>(Failures.of("commit receipt", found.cause()));
    }
    return found
        .result()
        .<CallOutcome<Receipts.Result>>map(it -> new CallOutcome.Done<>(resultOf(commit, it)))
        .orElseGet(
            () ->
                new CallOutcome.Retry<>(
                    TRIES,
                    new CallOutcome.Failed<>(
                        Failures.notDone("commit receipt: the key changes hands"))));
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
