package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.store.postgres.Completion.Write;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Completes many keys in one statement, with at most one effect each and those of one kind. */
final class CompleteStatement implements BatchStatement<Completion, CompleteResult> {

  private static final long FIXED_BYTES = 200;

  private final EffectBatch many = new EffectBatch(CompleteSql.COMPLETE);
  private final EffectBatch one = new EffectBatch(CompleteSql.COMPLETE_ONE);

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
  public Future<List<Verdict<CompleteResult>>> run(Link link, List<Completion> calls) {
    return send(link, calls)
        .compose(
            rows -> EffectBatch.told(operation(), calls, done(rows), left -> resolved(link, left)));
  }

  private Future<RowSet<Row>> send(Link link, List<Completion> calls) {
    if (calls.size() == 1) {
      // With nobody to share it, the fixed part of the statement for many is most of its cost.
      return one.sendOne(link, value(calls.get(0)), calls.get(0).effect());
    }
    List<Optional<Write>> writes = calls.stream().map(Completion::effect).toList();
    return many.send(link, values(calls), writes);
  }

  private static Tuple value(Completion call) {
    return Keys.values(call.claim().key())
        .addBuffer(Keys.bytes(call.claim().token()))
        .addLong(Keys.millis(call.claim().leaseMillis()))
        .addBuffer(call.response());
  }

  private static Tuple values(List<Completion> calls) {
    return Keys.arrays(calls, it -> it.claim().key())
        .addValue(Keys.buffers(calls, it -> Keys.bytes(it.claim().token())))
        .addValue(Keys.longs(calls, it -> Keys.millis(it.claim().leaseMillis())))
        .addValue(Keys.buffers(calls, Completion::response));
  }

  private static Map<Integer, CompleteResult> done(RowSet<Row> rows) {
    Map<Integer, CompleteResult> done = new HashMap<>();
    for (Row row : rows) {
      Expiry expiry = Records.expiry(row.getLong("expires_at_millis"), row.getLong("now"));
      done.put(row.getLong("ord").intValue() - 1, new CompleteResult.Completed(expiry));
    }
    return done;
  }

  private static Future<List<Verdict<CompleteResult>>> resolved(
      Link link, List<Completion> undone) {
    return Resolution.of(link, undone.stream().map(Completion::claim).toList())
        .map(left -> left.stream().map(CompleteStatement::verdict).toList());
  }

  private static Verdict<CompleteResult> verdict(Resolution left) {
    return switch (left.standing()) {
      case COMPLETED -> new Verdict.Settled<>(new CompleteResult.Completed(left.expiry()));
      case HELD ->
          new Verdict.Again<>(
              Resolution.TRIES,
              new Verdict.Failed<>(Failures.notDone("complete: the key changes hands")));
      case RELEASED, LOST -> new Verdict.Settled<>(new CompleteResult.LostLease());
    };
  }

  @Override
  public Optional<Future<CompleteResult>> refused(Link link, Completion call, PgException cause) {
    if (!SqlState.isRefusal(cause)) {
      return Optional.empty();
    }
    return call.effect()
        .map(
            write ->
                Future.succeededFuture(
                    new CompleteResult.EffectRefused(
                        write.effect().name(), Failures.sayOf(cause))));
  }
}
