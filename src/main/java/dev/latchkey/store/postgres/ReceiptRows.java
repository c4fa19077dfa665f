package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.store.Receipt;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Rows of the receipts, and how to read them. */
final class ReceiptRows {

  private static final Future<Optional<Receipt>> NONE = Future.succeededFuture(Optional.empty());

  private ReceiptRows() {}

  /**
   * Reads the live receipts of keys, in their order. The link must be ready.
   *
   * @return one future for each key, complete already; one that fails is of a receipt that cannot
   *     be read, such as that of a newer node, and says nothing of those beside it
   */
  static Future<List<Future<Optional<Receipt>>>> find(Link link, List<ScopedKey> keys) {
    return link.send(ReceiptSql.FIND, Keys.arrays(keys, it -> it))
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
        Records.fingerprint(row),
        Keys.token(row.getBuffer("token")),
        row.getInteger("attempt"),
        StoredResponseCodec.decode(row.getBuffer("response").getBytes()),
        row.getLong("created_at_millis"),
        Records.expiry(row.getLong("expires_at_millis"), row.getLong("now")));
  }
}
