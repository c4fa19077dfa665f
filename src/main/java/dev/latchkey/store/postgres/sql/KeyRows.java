package dev.latchkey.store.postgres.sql;

import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.core.spi.Token;
import dev.latchkey.store.postgres.connection.Failures;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowIterator;
import io.vertx.sqlclient.RowSet;
import java.util.Optional;
import java.util.OptionalInt;

/** Converts rows of the key table to the values of the SPI. */
public final class KeyRows {

  private KeyRows() {}

  /**
   * Reads a phase.
   *
   * @throws StoreException if a newer version wrote one that this version does not know
   */
  public static Phase phase(int number) {
    return switch (number) {
      case 0 -> Phase.IN_PROGRESS;
      case 1 -> Phase.COMPLETED;
      case 2 -> Phase.RELEASED;
      default -> throw Failures.permanent("a key has the unknown phase " + number);
    };
  }

  /** Returns an expiry as seen at a server time. */
  public static Expiry expiry(long atEpochMillis, long nowMillis) {
    return new Expiry(atEpochMillis, Math.max(0, atEpochMillis - nowMillis));
  }

  /** Reads an expiry and the server's time. */
  public static Expiry expiry(Row row) {
    return expiry(row.getLong("expires_at_millis"), row.getLong("now"));
  }

  /** Reads the state of one key from at most one row. */
  public static KeyState state(RowSet<Row> rows) {
    RowIterator<Row> each = rows.iterator();
    return each.hasNext() ? state(each.next()) : new KeyState.Absent();
  }

  private static KeyState state(Row row) {
    Fingerprint fingerprint = fingerprint(row);
    Token token = KeyParameters.token(row.getBuffer("token"));
    return switch (phase(row.getInteger("phase"))) {
      case IN_PROGRESS ->
          new KeyState.InProgress(
              fingerprint,
              token,
              Math.max(0, row.getLong("lease_until_millis") - row.getLong("now")));
      case COMPLETED -> new KeyState.Completed(fingerprint, token, response(row), expiry(row));
      case RELEASED -> new KeyState.Released(fingerprint, token);
    };
  }

  /** Reads the fingerprint of a key or receipt. */
  public static Fingerprint fingerprint(Row row) {
    return Fingerprint.of(
        row.getBuffer("fingerprint").getBytes(), row.getBuffer("member_sketch").getBytes());
  }

  private static StoredResponse response(Row row) {
    return StoredResponseCodec.decode(row.getBuffer("response").getBytes());
  }

  /** Reads the record of a key whose tenant and key are known. */
  public static KeyRecord record(String tenant, String key, Row row) {
    Phase phase = phase(row.getInteger("phase"));
    OptionalInt status = OptionalInt.empty();
    Optional<String> location = Optional.empty();
    if (phase == Phase.COMPLETED) {
      StoredResponse stored = response(row);
      status = OptionalInt.of(stored.status());
      location = stored.header("Location");
    }
    return new KeyRecord(
        new ScopedKey(tenant, row.getString("route"), key),
        phase,
        row.getInteger("attempt"),
        status,
        location,
        row.getLong("created_at_millis"),
        row.getLong("expires_at_millis"));
  }
}
