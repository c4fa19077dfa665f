package dev.latchkey.store.postgres.effect;

import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A statement that ends many calls, each with at most one effect. Confined to the event loop of its
 * connection.
 */
public final class EffectBatch {

  private final EffectSql sql;

  /** By the kinds used so far; an application has a handful. */
  private final Map<PostgresEffectKind, String> withEffects = new HashMap<>();

  /** Makes the statement. */
  public EffectBatch(EffectSql sql) {
    this.sql = sql;
  }

  /** Allows one call per key, one effect per business row, and effects of one kind. */
  public static <C> Predicate<C> fitting(
      Function<C, ScopedKey> key, Function<C, Optional<EffectWrite>> effect) {
    Set<ScopedKey> keys = new HashSet<>();
    Set<String> rows = new HashSet<>();
    Set<PostgresEffectKind> kinds = new HashSet<>();
    return call -> {
      if (keys.contains(key.apply(call))) {
        return false;
      }
      Optional<EffectWrite> write = effect.apply(call);
      if (write.isPresent()) {
        PostgresEffectKind kind = write.get().kind();
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
  public Future<RowSet<Row>> send(
      ReconnectingConnection connection, Tuple values, List<Optional<EffectWrite>> writes) {
    Optional<PostgresEffectKind> kind =
        writes.stream().flatMap(Optional::stream).map(EffectWrite::kind).findFirst();
    if (kind.isEmpty()) {
      return connection.send(sql.withoutEffects(), values);
    }
    List<Optional<Effect>> effects =
        writes.stream().map(it -> it.map(EffectWrite::effect)).toList();
    values.addValue(effects.stream().map(Optional::isPresent).toArray(Boolean[]::new));
    EffectValues.add(values, kind.get(), effects);
    return connection.send(withEffects.computeIfAbsent(kind.get(), sql::with), values);
  }

  /**
   * Sends the statement of one call.
   *
   * @param values the values of the call; those of its effect are added
   */
  public Future<RowSet<Row>> sendOne(
      ReconnectingConnection connection, Tuple values, Optional<EffectWrite> write) {
    if (write.isEmpty()) {
      return connection.send(sql.withoutEffects(), values);
    }
    PostgresEffectKind kind = write.get().kind();
    for (Object value : EffectValues.values(kind, write.get().effect())) {
      values.addValue(value);
    }
    return connection.send(withEffects.computeIfAbsent(kind, sql::with), values);
  }
}
