package dev.latchkey.store.postgres.effect;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.store.postgres.batch.BatchStatement;
import dev.latchkey.store.postgres.batch.CallOutcome;
import dev.latchkey.store.postgres.connection.Failures;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.connection.SqlState;
import dev.latchkey.store.postgres.sql.KeyRows;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A statement that ends many calls, each with at most one effect, all of one kind. Confined to the
 * event loop of its connections.
 *
 * @param <C> a call
 * @param <R> its result
 */
public abstract class StatementWithEffects<C extends StatementWithEffects.Ending, R>
    implements BatchStatement<C, R> {

  /** A call that ends a claim with an encoded response and at most one effect. */
  public interface Ending {
    Claim claim();

    Buffer response();

    Optional<EffectWrite> effect();
  }

  private static final long FIXED_BYTES = 250;

  /** The statements with effects, by text without effects and kind; there are a handful. */
  private final Map<EffectSql, Map<PostgresEffectKind, String>> statements = new HashMap<>();

  /** Sends the statement; its rows are the calls that it ended. */
  protected abstract Future<RowSet<Row>> send(ReconnectingConnection connection, List<C> calls);

  protected abstract R ended(Expiry expiry);

  protected abstract R refused(String effect, String detail);

  /** Finds the outcomes of the calls that the statement did not end. */
  protected abstract Future<List<CallOutcome<R>>> others(
      ReconnectingConnection connection, List<C> calls);

  @Override
  public final long bytes(C call) {
    return FIXED_BYTES + call.response().length();
  }

  /** Allows one call per key and token, one effect per business row, and effects of one kind. */
  @Override
  public final Predicate<C> fitting() {
    Set<Object> taken = new HashSet<>();
    AtomicReference<@Nullable PostgresEffectKind> kind = new AtomicReference<>();
    return call -> {
      Optional<EffectWrite> write = call.effect();
      if (taken.contains(call.claim().key())
          || taken.contains(call.claim().token())
          || write.filter(it -> taken.contains(it.row())).isPresent()
          || (kind.get() != null && write.filter(it -> it.kind() != kind.get()).isPresent())) {
        return false;
      }
      taken.add(call.claim().key());
      taken.add(call.claim().token());
      write.ifPresent(
          it -> {
            taken.add(it.row());
            kind.set(it.kind());
          });
      return true;
    };
  }

  @Override
  public final Future<List<CallOutcome<R>>> run(ReconnectingConnection connection, List<C> calls) {
    return send(connection, calls)
        .compose(
            rows ->
                CallOutcome.ofRows(
                    operation(),
                    calls,
                    rows,
                    row -> ended(KeyRows.expiry(row)),
                    left -> others(connection, left)));
  }

  @Override
  public final Optional<R> refused(C call, PgException cause) {
    return SqlState.isRefusal(cause)
        ? call.effect().map(it -> refused(it.name(), Failures.message(cause)))
        : Optional.empty();
  }

  /** Sends the statement for many calls; their effects are added to the values. */
  protected final Future<RowSet<Row>> sendMany(
      ReconnectingConnection connection, EffectSql sql, Tuple values, List<C> calls) {
    List<Optional<EffectWrite>> writes = calls.stream().map(it -> it.effect()).toList();
    Optional<PostgresEffectKind> kind =
        writes.stream().flatMap(Optional::stream).map(EffectWrite::kind).findFirst();
    if (kind.isPresent()) {
      values.addValue(writes.stream().map(Optional::isPresent).toArray(Boolean[]::new));
      ColumnType.arrays(kind.get(), writes).forEach(values::addValue);
    }
    return connection.send(text(sql, kind), values);
  }

  /** Sends the statement for one call; its effect is added to the values. */
  protected final Future<RowSet<Row>> sendOne(
      ReconnectingConnection connection, EffectSql sql, Tuple values, C call) {
    call.effect().ifPresent(it -> it.values().forEach(values::addValue));
    return connection.send(text(sql, call.effect().map(EffectWrite::kind)), values);
  }

  private String text(EffectSql sql, Optional<PostgresEffectKind> kind) {
    return kind.map(
            it ->
                statements
                    .computeIfAbsent(sql, s -> new HashMap<>())
                    .computeIfAbsent(it, sql::with))
        .orElseGet(sql::withoutEffects);
  }
}
