package dev.latchkey.store.postgres;

import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoreException;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.core.spi.Token;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Claims many keys in one statement. The result is empty for a key that may be there to take: that
 * is for {@link #taking}, which always has one.
 */
final class ClaimStatement implements BatchStatement<ClaimRequest, Optional<ClaimResult>> {

  /** How often a claim is sent that saw neither a row nor made one. */
  private static final int TRIES = 4;

  /** After so long a waiter asks again for a row that another transaction holds. */
  private static final long LOCKED_MILLIS = 500;

  private static final int TAKEABLE = 1;
  private static final int MISMATCH = 2;
  private static final int COMPLETED = 3;
  private static final int IN_FLIGHT = 5;
  private static final int LAPSED = 6;
  private static final int WITHDRAWN = 7;
  private static final int RELEASED = 8;

  // Where the columns of the answer stand: they are many, and finding one by its name takes a walk.
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

  private static final long FIXED_BYTES = 200;

  private final String sql;

  /** Whether a claim by itself is first tried by {@link FreeClaim}. */
  private final boolean lean;

  private ClaimStatement(String sql, boolean lean) {
    this.sql = sql;
    this.lean = lean;
  }

  /** Claims what is free. */
  static ClaimStatement arriving() {
    return new ClaimStatement(ClaimSql.CLAIM, true);
  }

  /** Claims what is free or may be taken. */
  static ClaimStatement taking() {
    return new ClaimStatement(ClaimSql.TAKE, false);
  }

  @Override
  public String operation() {
    return "claim";
  }

  @Override
  public long bytes(ClaimRequest call) {
    return FIXED_BYTES;
  }

  /** One claim of a key at a time, since a statement changes a row once; and one durability. */
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
  public Future<List<Verdict<Optional<ClaimResult>>>> run(Link link, List<ClaimRequest> calls) {
    if (calls.size() > 1 || !lean || calls.get(0).effectsInStore()) {
      return runMany(link, calls);
    }
    return FreeClaim.of(link, calls.get(0))
        .compose(
            claimed ->
                claimed.isPresent()
                    ? Future.succeededFuture(List.of(new Verdict.Settled<>(claimed)))
                    : runMany(link, calls));
  }

  private Future<List<Verdict<Optional<ClaimResult>>>> runMany(
      Link link, List<ClaimRequest> calls) {
    return link.send(sql, values(calls)).map(rows -> verdicts(calls, rows));
  }

  static Tuple values(List<ClaimRequest> calls) {
    Integer[] modes = new Integer[calls.size()];
    for (int i = 0; i < modes.length; i++) {
      modes[i] = mode(calls.get(i).mode());
    }
    return Keys.arrays(calls, it -> it.claim().key())
        .addValue(Keys.buffers(calls, it -> Buffer.buffer(it.claim().fingerprint().hash())))
        .addValue(Keys.buffers(calls, it -> Keys.bytes(it.claim().token())))
        .addValue(Keys.longs(calls, it -> Keys.millis(it.claim().leaseMillis())))
        .addValue(Keys.longs(calls, it -> Keys.millis(it.retentionMillis())))
        .addValue(modes)
        .addValue(Keys.buffers(calls, it -> Buffer.buffer(it.claim().fingerprint().memberSketch())))
        .addValue(calls.get(0).effectsInStore() ? "off" : "on");
  }

  private static int mode(ClaimRequest.Mode mode) {
    return switch (mode) {
      case ARRIVAL -> 0;
      case TAKEOVER -> 1;
      case NO_TAKEOVER -> 2;
    };
  }

  private static List<Verdict<Optional<ClaimResult>>> verdicts(
      List<ClaimRequest> calls, RowSet<Row> rows) {
    Row[] known = new Row[calls.size()];
    Map<Token, Row> fresh = new HashMap<>();
    for (Row row : rows) {
      Integer number = row.getInteger(ORD);
      if (number == null) {
        fresh.put(Keys.token(row.getBuffer(TOKEN)), row);
      } else {
        known[number - 1] = row;
      }
    }
    List<Verdict<Optional<ClaimResult>>> verdicts = new ArrayList<>(known.length);
    for (int i = 0; i < known.length; i++) {
      Row row = known[i] != null ? known[i] : fresh.get(calls.get(i).claim().token());
      verdicts.add(row == null ? again() : verdict(row));
    }
    return verdicts;
  }

  /** A record that cannot be read fails its own claim, not those beside it. */
  private static Verdict<Optional<ClaimResult>> verdict(Row row) {
    try {
      boolean takeable = row.getInteger(VERDICT) == TAKEABLE;
      return new Verdict.Settled<>(takeable ? Optional.empty() : Optional.of(result(row)));
    } catch (StoreException unreadable) {
      return new Verdict.Failed<>(unreadable);
    }
  }

  private static Verdict<Optional<ClaimResult>> again() {
    return new Verdict.Again<>(
        TRIES, new Verdict.Settled<>(Optional.of(new ClaimResult.InFlight(LOCKED_MILLIS))));
  }

  private static ClaimResult result(Row row) {
    return switch (row.getInteger(VERDICT)) {
      case MISMATCH -> mismatch(row);
      case COMPLETED ->
          new ClaimResult.Completed(
              StoredResponseCodec.decode(row.getBuffer(RESPONSE).getBytes()), expiry(row));
      case IN_FLIGHT -> new ClaimResult.InFlight(row.getLong(LEASE_LEFT));
      case LAPSED -> new ClaimResult.Lapsed();
      case WITHDRAWN -> new ClaimResult.Withdrawn();
      case RELEASED -> new ClaimResult.Released();
      default ->
          new ClaimResult.Claimed(
              row.getInteger(ATTEMPT), steps(row), expiry(row), row.getBoolean(TAKEN_OVER));
    };
  }

  private static ClaimResult mismatch(Row row) {
    Phase phase = Records.phase(row.getInteger(PHASE));
    return new ClaimResult.Mismatch(
        phase,
        Fingerprint.of(
            row.getBuffer(FIRST_HASH).getBytes(), row.getBuffer(FIRST_SKETCH).getBytes()),
        phase == Phase.COMPLETED ? Optional.of(expiry(row)) : Optional.empty());
  }

  private static Expiry expiry(Row row) {
    return Records.expiry(row.getLong(EXPIRES_AT), row.getLong(NOW));
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
