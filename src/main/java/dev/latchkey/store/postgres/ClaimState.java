package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.store.postgres.connection.ReconnectingConnection;
import dev.latchkey.store.postgres.sql.CompleteSql;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.KeyRows;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The state of a claim that a statement did not find in progress, read by a later statement, which
 * sees what was committed meanwhile.
 *
 * @param standing its state
 * @param expiry when the key expires, unless the claim is lost
 */
record ClaimState(Standing standing, Expiry expiry) {

  /** Maximum number of statements for a claim that is found {@link Standing#HELD}. */
  static final int TRIES = 4;

  /** The state of a claim. */
  enum Standing {
    /** This token completed the key. */
    COMPLETED,
    /** This token released the key. */
    RELEASED,
    /** This token holds the key. */
    HELD,
    /** The key is absent or has another token. */
    LOST
  }

  private static final ClaimState LOST = new ClaimState(Standing.LOST, new Expiry(0, 0));

  /** Reads the states of claims, in their order; the connection must be ready. */
  static Future<List<ClaimState>> of(ReconnectingConnection connection, List<Claim> claims) {
    return connection
        .send(CompleteSql.STATES, KeyParameters.arrays(claims, Claim::key))
        .map(rows -> read(claims, rows));
  }

  private static List<ClaimState> read(List<Claim> claims, RowSet<Row> rows) {
    List<ClaimState> all = new ArrayList<>(Collections.nCopies(claims.size(), LOST));
    for (Row row : rows) {
      int number = row.getLong("ord").intValue() - 1;
      if (KeyParameters.token(row.getBuffer("token")).equals(claims.get(number).token())) {
        Expiry expiry = KeyRows.expiry(row.getLong("expires_at_millis"), row.getLong("now"));
        all.set(number, new ClaimState(standing(row), expiry));
      }
    }
    return all;
  }

  private static Standing standing(Row row) {
    return switch (KeyRows.phase(row.getInteger("phase"))) {
      case COMPLETED -> Standing.COMPLETED;
      case RELEASED -> Standing.RELEASED;
      case IN_PROGRESS -> Standing.HELD;
    };
  }
}
