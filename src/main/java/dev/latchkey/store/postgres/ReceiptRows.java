package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.store.Receipt;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.KeyRows;
import dev.latchkey.store.postgres.sql.ReceiptSql;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Reads receipts. */
final class ReceiptRows {

  private static final Future<Optional<Receipt>> NONE = Future.succeededFuture(Optional.empty());

  private ReceiptRows() {}

  /**
   * Reads the live receipts of keys, in their order. The connection must be ready.
   *
   * @return a completed future for each key; it is failed if its receipt is unreadable, for example
   *     because a newer version wrote it
   */
  static Future<List<Future<Optional<Receipt>>>> find(
      ReconnectingConnection connection, List<ScopedKey> keys) {
    return connection
        .send(ReceiptSql.FIND, KeyParameters.arrays(keys, it -> it))
        .map(
            rows -> {
              List<Future<Optional<Receipt>>> found =
                  new ArrayList<>(Collections.nCopies(keys.size(), NONE));
              rows.forEach(row -> found.set(row.getLong("ord").intValue() - 1, read(row)));
              return found;
            });
  }

  private static Future<Optional<Receipt>> read(Row row) {
    try {
      return Future.succeededFuture(Optional.of(receipt(row)));
    } catch (StoreException unreadable) {
      return Future.failedFuture(unreadable);
    }
  }

  static Receipt receipt(Row row) {
    return new Receipt(
        KeyRows.fingerprint(row),
        KeyParameters.token(row.getBuffer("token")),
        row.getInteger("attempt"),
        StoredResponseCodec.decode(row.getBuffer("response").getBytes()),
        row.getLong("created_at_millis"),
        KeyRows.expiry(row.getLong("expires_at_millis"), row.getLong("now")));
  }
}
