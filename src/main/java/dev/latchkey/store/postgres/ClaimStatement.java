package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.Token;
import dev.latchkey.store.postgres.batch.BatchStatement;
import dev.latchkey.store.postgres.batch.CallOutcome;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.sql.ClaimSql;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.KeyRows;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowIterator;
import io.vertx.sqlclient.Tuple;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Claims many keys in one statement. The result is empty for an existing row that may be claimable:
 * {@link #taking} handles it and always has a result.
 */
final class ClaimStatement implements BatchStatement<ClaimRequest, Optional<ClaimResult>> {

  private final String sql;

  /** Whether a single claim is first tried by {@link ClaimSql#FREE}. */
  private final boolean triesFree;

  private ClaimStatement(String sql, boolean triesFree) {
    this.sql = sql;
    this.triesFree = triesFree;
  }

  /** Claims unused keys. */
  static ClaimStatement arriving() {
    return new ClaimStatement(ClaimSql.CLAIM, true);
  }

  /** Claims unused keys and existing rows that are claimable. */
  static ClaimStatement taking() {
    return new ClaimStatement(ClaimSql.TAKE, false);
  }

  @Override
  public String operation() {
    return "claim";
  }

  /** One claim per key, since a statement changes a row once; and one durability. */
  @Override
  public Predicate<ClaimRequest> fitting() {
    Set<ScopedKey> keys = new HashSet<>();
    Set<Token> tokens = new HashSet<>();
    Set<Boolean> durability = new HashSet<>();
    return request -> {
      if (keys.contains(request.claim().key())
          || tokens.contains(request.claim().token())
          || (!durability.isEmpty() && !durability.contains(request.effectsInStore()))) {
        return false;
      }
      keys.add(request.claim().key());
      tokens.add(request.claim().token());
      durability.add(request.effectsInStore());
      return true;
    };
  }

  @Override
  public Future<List<CallOutcome<Optional<ClaimResult>>>> run(
      ReconnectingConnection connection, List<ClaimRequest> calls) {
    if (calls.size() > 1 || !triesFree || calls.get(0).effectsInStore()) {
      return runMany(connection, calls);
    }
    return claimFree(connection, calls.get(0))
        .compose(
            claimed ->
                claimed.isPresent()
                    ? Future.succeededFuture(List.of(new CallOutcome.Done<>(claimed)))
                    : runMany(connection, calls));
  }

  /**
   * Claims one key durably, or does nothing if the key is known. The fixed part of the statement
   * for many is most of its cost for a single call, and nearly all claimed keys are new.
   */
  private static Future<Optional<ClaimResult>> claimFree(
      ReconnectingConnection connection, ClaimRequest request) {
    return connection
        .send(ClaimSql.FREE, freeValues(request))
        .map(
            rows -> {
              RowIterator<Row> each = rows.iterator();
              return each.hasNext() ? Optional.of(claimed(each.next())) : Optional.empty();
            });
  }

  private static Tuple freeValues(ClaimRequest request) {
    Claim claim = request.claim();
    return KeyParameters.values(claim.key())
        .addBuffer(Buffer.buffer(claim.fingerprint().hash()))
        .addBuffer(KeyParameters.bytes(claim.token()))
        .addLong(KeyParameters.millis(claim.leaseMillis()))
        .addLong(KeyParameters.millis(request.retentionMillis()))
        .addBuffer(Buffer.buffer(claim.fingerprint().memberSketch()));
  }

  private static ClaimResult claimed(Row row) {
    Expiry expiry = KeyRows.expiry(row);
    return new ClaimResult.Claimed(1, Map.of(), expiry, false);
  }

  private Future<List<CallOutcome<Optional<ClaimResult>>>> runMany(
      ReconnectingConnection connection, List<ClaimRequest> calls) {
    return connection.send(sql, values(calls)).map(rows -> ClaimRows.outcomes(calls, rows));
  }

  static Tuple values(List<ClaimRequest> calls) {
    return KeyParameters.arrays(calls, it -> it.claim().key())
        .addValue(
            KeyParameters.buffers(calls, it -> Buffer.buffer(it.claim().fingerprint().hash())))
        .addValue(KeyParameters.buffers(calls, it -> KeyParameters.bytes(it.claim().token())))
        .addValue(KeyParameters.longs(calls, it -> KeyParameters.millis(it.claim().leaseMillis())))
        .addValue(KeyParameters.longs(calls, it -> KeyParameters.millis(it.retentionMillis())))
        .addValue(calls.stream().map(it -> it.mode().name()).toArray(String[]::new))
        .addValue(
            KeyParameters.buffers(
                calls, it -> Buffer.buffer(it.claim().fingerprint().memberSketch())))
        .addValue(calls.get(0).effectsInStore() ? "off" : "on");
  }
}
