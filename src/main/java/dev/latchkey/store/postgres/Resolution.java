package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.Expiry;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a claim came to that a statement did not find in progress: read in a later statement, which
 * sees whatever was in the way of the first.
 *
 * @param standing what became of it
 * @param expiry when the key is free, as far as it stands
 */
record Resolution(Standing standing, Expiry expiry) {

  /** How often what was found {@link Standing#HELD} after all is tried again. */
  static final int TRIES = 4;

  /** Where a claim stands. */
  enum Standing {
    /** This token completed the key. */
    COMPLETED,
    /** This token released the key. */
    RELEASED,
    /** This token holds the key. */
    HELD,
    /** The key is absent or another's. */
    LOST
  }

  private static final Resolution LOST = new Resolution(Standing.LOST, new Expiry(0, 0));

  /** Reads what became of claims, in their order. The link must be ready. */
  static Future<List<Resolution>> of(Link link, List<Claim> claims) {
    return link.send(CompleteSql.LEFT, Keys.arrays(claims, Claim::key))
        .map(rows -> read(claims, rows));
  }

  private static List<Resolution> read(List<Claim> claims, RowSet<Row> rows) {
    List<Resolution> all = new ArrayList<>(Collections.nCopies(claims.size(), LOST));
    for (Row row : rows) {
      int number = row.getLong("ord").intValue() - 1;
      if (Keys.token(row.getBuffer("token")).equals(claims.get(number).token())) {
        Expiry expiry = Records.expiry(row.getLong("expires_at_millis"), row.getLong("now"));
        all.set(number, new Resolution(standing(row), expiry));
      }
    }
    return all;
  }

  private static Standing standing(Row row) {
    return switch (Records.phase(row.getInteger("phase"))) {
      case COMPLETED -> Standing.COMPLETED;
      case RELEASED -> Standing.RELEASED;
      case IN_PROGRESS -> Standing.HELD;
    };
  }
}
