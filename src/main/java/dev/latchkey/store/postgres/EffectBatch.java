package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.postgres.Completion.Write;
import io.vertx.core.Future;
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
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A statement that ends many keys, each with at most one effect. Confined to the event loop of its
 * statement.
 */
final class EffectBatch {

  private final EffectSql sql;

  /** The statements of the kinds that came so far; an application has a handful. */
  private final Map<EffectKind, String> withEffects = new HashMap<>();

  EffectBatch(EffectSql sql) {
    this.sql = sql;
  }

  /** One call per key, one effect per business row, and effects of one kind. */
  static <C> Predicate<C> fitting(Function<C, ScopedKey> key, Function<C, Optional<Write>> effect) {
    Set<ScopedKey> keys = new HashSet<>();
    Set<String> rows = new HashSet<>();
    Set<EffectKind> kinds = new HashSet<>();
    return call -> {
      if (keys.contains(key.apply(call))) {
        return false;
      }
      Optional<Write> write = effect.apply(call);
      if (write.isPresent()) {
        EffectKind kind = write.get().kind();
        String row = kind.row(write.get().effect());
        if (rows.contains(row) || (!kinds.isEmpty() && !kinds.contains(kind))) {
          return false;
        }
        rows.add(row);
        kinds.add(kind);
      }
      keys.add(key.apply(call));
      return true;
    };
  }

  /**
   * Sends a statement with the effects of its calls.
   *
   * @param values the arrays of the calls; those of the effects are added
   */
  Future<RowSet<Row>> send(Link link, Tuple values, List<Optional<Write>> writes) {
    Optional<EffectKind> kind =
        writes.stream().flatMap(Optional::stream).map(Write::kind).findFirst();
    if (kind.isEmpty()) {
      return link.send(sql.withoutEffects(), values);
    }
    List<Optional<Effect>> effects = writes.stream().map(it -> it.map(Write::effect)).toList();
    values.addValue(effects.stream().map(Optional::isPresent).toArray(Boolean[]::new));
    EffectArrays.add(values, kind.get(), effects);
    return link.send(withEffects.computeIfAbsent(kind.get(), sql::with), values);
  }

  /**
   * Sends the statement of one call.
   *
   * @param values the values of the call; those of its effect are added
   */
  Future<RowSet<Row>> sendOne(Link link, Tuple values, Optional<Write> write) {
    if (write.isEmpty()) {
      return link.send(sql.withoutEffects(), values);
    }
    EffectKind kind = write.get().kind();
    for (Object value : EffectArrays.values(kind, write.get().effect())) {
      values.addValue(value);
    }
    return link.send(withEffects.computeIfAbsent(kind, sql::with), values);
  }

  /**
   * Joins what the statement did with what became of the others.
   *
   * @param operation names the calls in errors
   * @param done the results of the calls that it did, by their place
   * @param resolving tells about the others, in a later statement
   */
  static <C, R> Future<List<Verdict<R>>> told(
      String operation,
      List<C> calls,
      Map<Integer, R> done,
      Function<List<C>, Future<List<Verdict<R>>>> resolving) {
    List<C> undone = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      if (!done.containsKey(i)) {
        undone.add(calls.get(i));
      }
    }
    if (undone.isEmpty()) {
      return Future.succeededFuture(merged(calls.size(), done, List.of()));
    }
    return resolving
        .apply(undone)
        .recover(
            cause -> {
              Verdict<R> failed =
                  new Verdict.Failed<>(Failures.of(operation + ": nothing was written", cause));
              return Future.succeededFuture(undone.stream().map(it -> failed).toList());
            })
        .map(left -> merged(calls.size(), done, left));
  }

  private static <R> List<Verdict<R>> merged(
      int calls, Map<Integer, R> done, List<Verdict<R>> left) {
    List<Verdict<R>> verdicts = new ArrayList<>(calls);
    int next = 0;
    for (int i = 0; i < calls; i++) {
      R result = done.get(i);
      verdicts.add(result != null ? new Verdict.Settled<>(result) : left.get(next++));
    }
    return verdicts;
  }
}
