package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.postgres.batch.BatchStatement;
import dev.latchkey.store.postgres.batch.CallOutcome;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.KeyRows;
import dev.latchkey.store.postgres.sql.ReceiptSql;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads many live receipts in one statement. */
final class FindStatement implements BatchStatement<ScopedKey, Optional<Receipt>> {

  private static final String OPERATION = "find receipt";

  @Override
  public String operation() {
    return OPERATION;
  }

  @Override
  public Predicate<ScopedKey> fitting() {
    return key -> true;
  }

  @Override
  public Future<List<CallOutcome<Optional<Receipt>>>> run(
      ReconnectingConnection connection, List<ScopedKey> calls) {
    return find(connection, calls, new Buffer[calls.size()]);
  }

  /** Finds the receipts of commits: the live ones, and their own. */
  static Future<List<CallOutcome<Optional<Receipt>>>> ofCommits(
      ReconnectingConnection connection, List<ReceiptCommit> commits) {
    return find(
        connection,
        commits.stream().map(ReceiptCommit::key).toList(),
        KeyParameters.buffers(commits, ReceiptCommit::token));
  }

  private static Future<List<CallOutcome<Optional<Receipt>>>> find(
      ReconnectingConnection connection, List<ScopedKey> keys, @Nullable Buffer[] tokens) {
    return connection
        .send(ReceiptSql.FIND, KeyParameters.arrays(keys, it -> it).addValue(tokens))
        .compose(
            rows ->
                CallOutcome.ofRows(
                    OPERATION,
                    keys,
                    rows,
                    row -> Optional.of(receipt(row)),
                    absent -> Future.succeededFuture(CallOutcome.all(absent, Optional.empty()))));
  }

  static Receipt receipt(Row row) {
    return new Receipt(
        KeyRows.fingerprint(row),
        KeyParameters.token(row.getBuffer("token")),
        row.getInteger("attempt"),
        StoredResponseCodec.decode(row.getBuffer("response").getBytes()),
        row.getLong("created_at_millis"),
        KeyRows.expiry(row));
  }
}
