package dev.latchkey.store.postgres;

import dev.latchkey.idempotency.spi.CompleteResult;
import dev.latchkey.idempotency.spi.Effect;
import dev.latchkey.idempotency.spi.Expiry;
import dev.latchkey.idempotency.spi.ScopedKey;
import dev.latchkey.store.postgres.Completion.Write;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
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

/** Completes many keys in one statement, with at most one effect each and those of one kind. */
final class CompleteStatement implements BatchStatement<Completion, CompleteResult> {

  private static final long FIXED_BYTES = 200;

  /** The statements of the kinds that came so far; an application has a handful. */
  private final Map<EffectKind, String> withEffects = new HashMap<>();

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
    Set<ScopedKey> keys = new HashSet<>();
    Set<String> rows = new HashSet<>();
    Set<EffectKind> kinds = new HashSet<>();
    return completion -> {
      if (keys.contains(completion.claim().key())) {
        return false;
      }
      Optional<Write> write = completion.effect();
      if (write.isPresent()) {
        EffectKind kind = write.get().kind();
        String row = kind.row(write.get().effect());
        if (rows.contains(row) || (!kinds.isEmpty() && !kinds.contains(kind))) {
          return false;
        }
        rows.add(row);
        kinds.add(kind);
      }
      keys.add(completion.claim().key());
      return true;
    };
  }

  @Override
  public Future<List<Verdict<CompleteResult>>> run(Link link, List<Completion> calls) {
    Tuple values = values(calls);
    Optional<EffectKind> kind =
        calls.stream().flatMap(it -> it.effect().stream()).map(Write::kind).findFirst();
    if (kind.isEmpty()) {
      return link.send(CompleteSql.WITHOUT_EFFECTS, values)
          .compose(rows -> told(link, calls, rows));
    }
    List<Optional<Effect>> effects =
        calls.stream().map(it -> it.effect().map(Write::effect)).toList();
    values.addValue(effects.stream().map(Optional::isPresent).toArray(Boolean[]::new));
    EffectArrays.add(values, kind.get(), effects);
    return link.send(withEffects.computeIfAbsent(kind.get(), CompleteSql::with), values)
        .compose(rows -> told(link, calls, rows));
  }

  private static Tuple values(List<Completion> calls) {
    return Tuple.tuple()
        .addValue(Keys.tenants(calls, it -> it.claim().key()))
        .addValue(Keys.keys(calls, it -> it.claim().key()))
        .addValue(Keys.routes(calls, it -> it.claim().key()))
        .addValue(Keys.tokens(calls, it -> it.claim().token()))
        .addValue(
            calls.stream().map(it -> Keys.millis(it.claim().leaseMillis())).toArray(Long[]::new))
        .addValue(calls.stream().map(Completion::response).toArray(Buffer[]::new));
  }

  private static Future<List<Verdict<CompleteResult>>> told(
      Link link, List<Completion> calls, RowSet<Row> rows) {
    Map<Integer, Expiry> done = new HashMap<>();
    for (Row row : rows) {
      done.put(
          row.getLong("ord").intValue() - 1,
          Records.expiry(row.getLong("expires_at_millis"), row.getLong("now")));
    }
    List<Completion> undone = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      if (!done.containsKey(i)) {
        undone.add(calls.get(i));
      }
    }
    if (undone.isEmpty()) {
      return Future.succeededFuture(merged(calls, done, List.of()));
    }
    return Resolution.of(link, undone.stream().map(Completion::claim).toList())
        .map(left -> left.stream().map(CompleteStatement::verdict).toList())
        .recover(
            cause -> {
              Verdict<CompleteResult> failed =
                  new Verdict.Failed<>(Failures.of("complete: nothing was written", cause));
              return Future.succeededFuture(undone.stream().map(it -> failed).toList());
            })
        .map(left -> merged(calls, done, left));
  }

  private static Verdict<CompleteResult> verdict(Resolution left) {
    return switch (left.standing()) {
      case COMPLETED -> new Verdict.Settled<>(new CompleteResult.Completed(left.expiry()));
      case HELD ->
          new Verdict.Again<>(
              Resolution.TRIES,
              new Verdict.Failed<>(
                  Failures.notDone("complete: the key changes hands; a retry is safe")));
      case RELEASED, LOST -> new Verdict.Settled<>(new CompleteResult.LostLease());
    };
  }

  private static List<Verdict<CompleteResult>> merged(
      List<Completion> calls, Map<Integer, Expiry> done, List<Verdict<CompleteResult>> left) {
    List<Verdict<CompleteResult>> verdicts = new ArrayList<>(calls.size());
    int next = 0;
    for (int i = 0; i < calls.size(); i++) {
      Expiry expiry = done.get(i);
      verdicts.add(
          expiry != null
              ? new Verdict.Settled<>(new CompleteResult.Completed(expiry))
              : left.get(next++));
    }
    return verdicts;
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
