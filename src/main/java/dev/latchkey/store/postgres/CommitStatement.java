package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Token;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.Receipts;
import dev.latchkey.store.Receipts.Committed;
import dev.latchkey.store.Receipts.Taken;
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

/** Commits many receipts in one statement, with at most one effect each and those of one kind. */
final class CommitStatement implements BatchStatement<ReceiptCommit, Receipts.Result> {

  private static final long FIXED_BYTES = 300;

  private final EffectBatch batch = new EffectBatch(ReceiptSql.COMMIT);

  @Override
  public String operation() {
    return "commit receipt";
  }

  @Override
  public long bytes(ReceiptCommit call) {
    return FIXED_BYTES + call.response().length();
  }

  /** The statement knows its calls by their tokens. */
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
  public Future<List<Verdict<Receipts.Result>>> run(Link link, List<ReceiptCommit> calls) {
    return batch
        .send(link, values(calls), calls.stream().map(ReceiptCommit::effect).toList())
        .compose(
            rows -> EffectBatch.told(operation(), calls, done(rows), left -> resolved(link, left)));
  }

  private static Tuple values(List<ReceiptCommit> calls) {
    return Keys.arrays(calls, ReceiptCommit::key)
        .addValue(Keys.buffers(calls, ReceiptCommit::fingerprint))
        .addValue(Keys.buffers(calls, ReceiptCommit::memberSketch))
        .addValue(Keys.buffers(calls, ReceiptCommit::token))
        .addValue(calls.stream().map(it -> it.attempted().attempt()).toArray(Integer[]::new))
        .addValue(Keys.buffers(calls, ReceiptCommit::response))
        .addValue(Keys.longs(calls, it -> it.attempted().createdAtEpochMillis()))
        .addValue(Keys.longs(calls, ReceiptCommit::expiresAtMillis))
        .addValue(Keys.longs(calls, ReceiptCommit::keptMillis));
  }

  private static Map<Integer, Receipts.Result> done(RowSet<Row> rows) {
    Map<Integer, Receipts.Result> done = new HashMap<>();
    for (Row row : rows) {
      done.put(
          row.getLong("ord").intValue() - 1,
          new Committed(Records.expiry(row.getLong("expires_at_millis"), row.getLong("now"))));
    }
    return done;
  }

  private static Future<List<Verdict<Receipts.Result>>> resolved(
      Link link, List<ReceiptCommit> undone) {
    return ReceiptRows.find(link, undone.stream().map(ReceiptCommit::key).toList())
        .map(
            found -> {
              List<Verdict<Receipts.Result>> verdicts = new ArrayList<>(undone.size());
              for (int i = 0; i < undone.size(); i++) {
                verdicts.add(verdict(undone.get(i), found.get(i)));
              }
              return verdicts;
            });
  }

  private static Verdict<Receipts.Result> verdict(
      ReceiptCommit commit, Future<Optional<Receipt>> found) {
    if (found.failed()) {
      return new Verdict.Failed<>(Failures.of("commit receipt", found.cause()));
    }
    return found
        .result()
        .<Verdict<Receipts.Result>>map(it -> new Verdict.Settled<>(standing(commit, it)))
        .orElseGet(
            () ->
                new Verdict.Again<>(
                    Resolution.TRIES,
                    new Verdict.Failed<>(
                        Failures.notDone("commit receipt: the key changes hands"))));
  }

  /** What it means that a key has a receipt already. */
  static Receipts.Result standing(ReceiptCommit commit, Receipt found) {
    return found.token().equals(commit.claim().token())
        ? new Committed(found.expiry())
        : new Taken(found);
  }

  @Override
  public Optional<Future<Receipts.Result>> refused(
      Link link, ReceiptCommit call, PgException cause) {
    if (!SqlState.isRefusal(cause)) {
      return Optional.empty();
    }
    return call.effect()
        .map(
            write ->
                Future.succeededFuture(
                    new Receipts.Refused(write.effect().name(), Failures.sayOf(cause))));
  }
}
