package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.core.spi.Token;
import dev.latchkey.store.postgres.batch.CallOutcome;
import dev.latchkey.store.postgres.sql.KeyParameters;
import dev.latchkey.store.postgres.sql.KeyRows;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Converts the rows of the claim statements to results. */
final class ClaimRows {

  /** Maximum number of statements for a claim that neither saw nor inserted a row. */
  private static final int TRIES = 4;

  /** When a waiter retries a row that another transaction holds. */
  static final long LOCKED_MILLIS = 500;

  // The columns of the result: finding one of many by its name is slow.
  private static final int ORD = 0;
  private static final int TOKEN = 1;
  private static final int VERDICT = 2;
  private static final int NOW = 3;
  private static final int EXPIRES_AT = 4;
  private static final int ATTEMPT = 5;
  private static final int TAKEN_OVER = 6;
  private static final int LEASE_LEFT = 7;
  private static final int PHASE = 8;
  private static final int FIRST_HASH = 9;
  private static final int FIRST_SKETCH = 10;
  private static final int RESPONSE = 11;
  private static final int STEP_NAMES = 12;
  private static final int STEP_RESULTS = 13;

  private ClaimRows() {}

  /** Returns the outcomes of claims, in their order. */
  static List<CallOutcome<Optional<ClaimResult>>> outcomes(
      List<ClaimRequest> calls, RowSet<Row> rows) {
    Row[] known = new Row[calls.size()];
    Map<Token, Row> fresh = new HashMap<>();
    for (Row row : rows) {
      Integer number = row.getInteger(ORD);
      if (number == null) {
        fresh.put(KeyParameters.token(row.getBuffer(TOKEN)), row);
      } else {
        known[number - 1] = row;
      }
    }
    List<CallOutcome<Optional<ClaimResult>>> outcomes = new ArrayList<>(known.length);
    for (int i = 0; i < known.length; i++) {
      Row row = known[i] != null ? known[i] : fresh.get(calls.get(i).claim().token());
      outcomes.add(row == null ? again() : CallOutcome.read("claim", row, ClaimRows::result));
    }
    return outcomes;
  }

  private static CallOutcome<Optional<ClaimResult>> again() {
    return new CallOutcome.Retry<>(
        TRIES, new CallOutcome.Done<>(Optional.of(new ClaimResult.InFlight(LOCKED_MILLIS))));
  }

  /** Whether a claim had this result because another transaction holds the row. */
  static boolean isLocked(ClaimResult result) {
    return result instanceof ClaimResult.InFlight held && held.leaseLeftMillis() == LOCKED_MILLIS;
  }

  private static Optional<ClaimResult> result(Row row) {
    return switch (row.getString(VERDICT)) {
      case "claimable" -> Optional.empty();
      case "mismatch" -> Optional.of(mismatch(row));
      case "completed" -> Optional.of(completed(row));
      case "in_flight" -> Optional.of(new ClaimResult.InFlight(row.getLong(LEASE_LEFT)));
      case "lapsed" -> Optional.of(new ClaimResult.Lapsed());
      case "withdrawn" -> Optional.of(new ClaimResult.Withdrawn());
      case "released" -> Optional.of(new ClaimResult.Released());
      default -> Optional.of(claimed(row));
    };
  }

  private static ClaimResult completed(Row row) {
    return new ClaimResult.Completed(
        StoredResponseCodec.decode(row.getBuffer(RESPONSE).getBytes()), expiry(row));
  }

  private static ClaimResult claimed(Row row) {
    return new ClaimResult.Claimed(
        row.getInteger(ATTEMPT), steps(row), expiry(row), row.getBoolean(TAKEN_OVER));
  }

  private static ClaimResult mismatch(Row row) {
    Phase phase = KeyRows.phase(row.getInteger(PHASE));
    return new ClaimResult.Mismatch(
        phase,
        Fingerprint.of(
            row.getBuffer(FIRST_HASH).getBytes(), row.getBuffer(FIRST_SKETCH).getBytes()),
        phase == Phase.COMPLETED ? Optional.of(expiry(row)) : Optional.empty());
  }

  private static Expiry expiry(Row row) {
    return KeyRows.expiry(row.getLong(EXPIRES_AT), row.getLong(NOW));
  }

  private static Map<String, Buffer> steps(Row row) {
    String[] names = row.getArrayOfStrings(STEP_NAMES);
    Buffer[] results = row.getArrayOfBuffers(STEP_RESULTS);
    if (names == null || results == null) {
      return Map.of();
    }
    Map<String, Buffer> steps = new LinkedHashMap<>();
    for (int i = 0; i < names.length; i++) {
      steps.put(names[i], results[i]);
    }
    return Collections.unmodifiableMap(steps);
  }
}
