package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.Expiry;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowIterator;
import io.vertx.sqlclient.Tuple;
import java.util.Map;
import java.util.Optional;

/**
 * A claim that has a statement for itself. With nobody to share it, the fixed part of the statement
 * for many is most of what it costs, and nearly all keys that are claimed are new.
 */
final class FreeClaim {

  private FreeClaim() {}

  /** Claims durably; empty when the key is known, or is becoming so, and nothing was done. */
  static Future<Optional<ClaimResult>> of(Link link, ClaimRequest request) {
    return link.send(ClaimSql.FREE, values(request))
        .map(
            rows -> {
              RowIterator<Row> each = rows.iterator();
              return each.hasNext() ? Optional.of(claimed(each.next())) : Optional.empty();
            });
  }

  private static Tuple values(ClaimRequest request) {
    Claim claim = request.claim();
    return Keys.values(claim.key())
        .addBuffer(Buffer.buffer(claim.fingerprint().hash()))
        .addBuffer(Keys.bytes(claim.token()))
        .addLong(Keys.millis(claim.leaseMillis()))
        .addLong(Keys.millis(request.retentionMillis()))
        .addBuffer(Buffer.buffer(claim.fingerprint().memberSketch()));
  }

  private static ClaimResult claimed(Row row) {
    Expiry expiry = Records.expiry(row.getLong("expires_at_millis"), row.getLong("now"));
    return new ClaimResult.Claimed(1, Map.of(), expiry, false);
  }
}
