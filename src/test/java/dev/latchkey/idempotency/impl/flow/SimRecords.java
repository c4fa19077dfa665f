package dev.latchkey.idempotency.impl.flow;

import dev.latchkey.idempotency.spi.Claim;
import dev.latchkey.idempotency.spi.ClaimRequest;
import dev.latchkey.idempotency.spi.ClaimRequest.Mode;
import dev.latchkey.idempotency.spi.ClaimResult;
import dev.latchkey.idempotency.spi.CompleteResult;
import dev.latchkey.idempotency.spi.Expiry;
import dev.latchkey.idempotency.spi.Fingerprint;
import dev.latchkey.idempotency.spi.KeyState;
import dev.latchkey.idempotency.spi.Outline;
import dev.latchkey.idempotency.spi.Phase;
import dev.latchkey.idempotency.spi.ReleaseResult;
import dev.latchkey.idempotency.spi.ScopedKey;
import dev.latchkey.idempotency.spi.StepResult;
import dev.latchkey.idempotency.spi.StoredResponse;
import dev.latchkey.idempotency.spi.Token;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The truth of the simulated store: what its Javadoc says, each call one step, and no more. */
final class SimRecords {

  /** What a key was from its first use until it was free again, or lost, for the checks. */
  static final class Life {
    final ScopedKey key;
    final Fingerprint fingerprint;
    final long bornNanos;
    long endedNanos = Long.MAX_VALUE;
    final Set<Token> tokens = new HashSet<>();
    final Set<Token> released = new HashSet<>();
    final Map<Token, Long> leases = new HashMap<>();
    Token lastGranted = new Token(0, 0);
    String committed = "";
    Token committedBy = new Token(0, 0);

    Life(ScopedKey key, Fingerprint fingerprint, long bornNanos) {
      this.key = key;
      this.fingerprint = fingerprint;
      this.bornNanos = bornNanos;
    }
  }

  static final class Row implements Cloneable {
    Life life;
    Fingerprint fingerprint;
    Outline outline;
    Phase phase = Phase.IN_PROGRESS;
    Token token;
    int attempt = 1;
    boolean takenOver;
    long leaseEndsMillis;
    long expiresMillis;
    Map<String, Buffer> steps = new LinkedHashMap<>();
    StoredResponse response;

    Row copy() {
      try {
        Row copy = (Row) clone();
        copy.steps = new LinkedHashMap<>(steps);
        return copy;
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private static final long EPOCH_MILLIS = 77_000_000_000L;

  private final SimWorld world;
  private final Map<ScopedKey, Row> rows = new HashMap<>();
  private final Map<ScopedKey, Row> durable = new HashMap<>();
  private boolean reverted;
  final List<Life> lives = new ArrayList<>();
  final Map<ScopedKey, Set<SimLink>> interest = new HashMap<>();

  SimRecords(SimWorld world) {
    this.world = world;
  }

  long nowMillis() {
    return EPOCH_MILLIS + world.nowNanos() / SimWorld.MILLI;
  }

  Optional<Row> find(ScopedKey key) {
    Row row = rows.get(key);
    if (row == null) {
      return Optional.empty();
    }
    long freeMillis =
        world.mutant == SimMutant.EXPIRY_UNDER_LIVE_LEASE
            ? row.expiresMillis
            : Math.max(row.expiresMillis, row.leaseEndsMillis);
    if (nowMillis() < freeMillis) {
      return Optional.of(row);
    }
    world.tell(() -> "store: " + key.key() + " has expired");
    row.life.endedNanos = (freeMillis - EPOCH_MILLIS) * SimWorld.MILLI;
    rows.remove(key);
    durable.remove(key);
    interest.remove(key);
    return Optional.empty();
  }

  ClaimResult claim(ClaimRequest request, long skewMillis) {
    Claim claim = request.claim();
    Optional<Row> found = find(claim.key());
    if (found.isEmpty()) {
      return firstUse(request);
    }
    Row row = found.get();
    boolean lapsed = nowMillis() + skewMillis >= row.leaseEndsMillis;
    boolean same = row.fingerprint.equals(claim.fingerprint());
    boolean blind =
        world.mutant == SimMutant.TAKEOVER_IGNORES_FINGERPRINT
                && row.phase == Phase.IN_PROGRESS
                && lapsed
            || world.mutant == SimMutant.RELEASE_FORGETS_REQUEST && row.phase == Phase.RELEASED;
    if (!same && !blind) {
      Optional<Expiry> expiry =
          row.phase == Phase.COMPLETED ? Optional.of(expiry(row)) : Optional.empty();
      return new ClaimResult.Mismatch(row.phase, row.outline, expiry);
    }
    if (row.phase == Phase.COMPLETED) {
      return new ClaimResult.Completed(row.response, expiry(row));
    }
    boolean own = row.token.equals(claim.token());
    if (row.phase == Phase.RELEASED) {
      if (own) {
        return new ClaimResult.Withdrawn();
      }
      return request.mode() == Mode.TAKEOVER
          ? new ClaimResult.Released()
          : grant(row, request, false);
    }
    if (own) {
      return claimed(row);
    }
    if (!lapsed) {
      return new ClaimResult.InFlight(row.leaseEndsMillis - nowMillis());
    }
    return request.mode() == Mode.NO_TAKEOVER
        ? new ClaimResult.Lapsed()
        : grant(row, request, true);
  }

  private ClaimResult firstUse(ClaimRequest request) {
    Claim claim = request.claim();
    Row row = new Row();
    row.life = new Life(claim.key(), claim.fingerprint(), world.nowNanos());
    lives.add(row.life);
    row.fingerprint = claim.fingerprint();
    row.outline = request.outline();
    row.token = claim.token();
    row.leaseEndsMillis = nowMillis() + claim.leaseMillis();
    granted(row);
    row.expiresMillis = nowMillis() + request.retentionMillis();
    rows.put(claim.key(), row);
    if (!request.effectsInStore()) {
      flush(claim.key());
    }
    return claimed(row);
  }

  private ClaimResult grant(Row row, ClaimRequest request, boolean takenOver) {
    row.phase = Phase.IN_PROGRESS;
    row.fingerprint = request.claim().fingerprint();
    row.token = request.claim().token();
    row.attempt++;
    row.takenOver = takenOver;
    row.leaseEndsMillis = nowMillis() + request.claim().leaseMillis();
    granted(row);
    if (!request.effectsInStore()) {
      flush(request.claim().key());
    }
    return claimed(row);
  }

  private ClaimResult claimed(Row row) {
    return new ClaimResult.Claimed(row.attempt, Map.copyOf(row.steps), expiry(row), row.takenOver);
  }

  private void granted(Row row) {
    row.life.tokens.add(row.token);
    row.life.lastGranted = row.token;
    row.life.leases.put(row.token, row.leaseEndsMillis);
  }

  /** Nobody loses a claim whose lease is not over. */
  void lost(Claim claim) {
    for (Life life : lives) {
      Long leaseEnds = life.leases.get(claim.token());
      world.require(
          leaseEnds == null || nowMillis() >= leaseEnds,
          () -> "a claim on " + claim.key().key() + " is lost under its live lease");
    }
  }

  private Expiry expiry(Row row) {
    return new Expiry(row.expiresMillis, Math.max(0, row.expiresMillis - nowMillis()));
  }

  private boolean holds(Row row, Claim claim, SimMutant unfenced) {
    return row.phase == Phase.IN_PROGRESS
        && (row.token.equals(claim.token()) || world.mutant == unfenced);
  }

  CompleteResult complete(Claim claim, StoredResponse response) {
    Optional<Row> found = find(claim.key());
    if (found.isEmpty()) {
      return new CompleteResult.LostLease();
    }
    Row row = found.get();
    if (row.phase == Phase.COMPLETED && row.token.equals(claim.token())) {
      return new CompleteResult.Completed(expiry(row));
    }
    boolean unfenced = world.mutant == SimMutant.COMPLETE_UNFENCED;
    if (!holds(row, claim, SimMutant.COMPLETE_UNFENCED) && !unfenced) {
      return new CompleteResult.LostLease();
    }
    commit(row, claim, response);
    return new CompleteResult.Completed(expiry(row));
  }

  private void commit(Row row, Claim claim, StoredResponse response) {
    String text = response.body().toString();
    world.require(
        row.life.committed.isEmpty(),
        () -> "a second effect of " + claim.key().key() + ": " + text + ", " + row.life.committed);
    world.require(
        row.life.fingerprint.equals(claim.fingerprint()),
        () -> "another request took effect under " + claim.key().key() + ": " + text);
    for (Life other : lives) {
      world.require(
          !other.committed.equals(text), () -> "the effect of one run is written twice: " + text);
    }
    row.life.committed = text;
    row.life.committedBy = claim.token();
    row.life.leases.remove(claim.token());
    row.phase = Phase.COMPLETED;
    row.response = response;
    row.token = claim.token();
    row.leaseEndsMillis = nowMillis();
    if (nowMillis() >= row.expiresMillis) {
      row.expiresMillis = nowMillis() + claim.leaseMillis();
    }
    flush(claim.key());
    settled(claim.key());
  }

  ReleaseResult release(Claim claim) {
    Optional<Row> found = find(claim.key());
    if (found.isEmpty()) {
      return ReleaseResult.LOST_LEASE;
    }
    Row row = found.get();
    if (row.phase == Phase.RELEASED && row.token.equals(claim.token())) {
      return ReleaseResult.RELEASED;
    }
    if (!holds(row, claim, SimMutant.RELEASE_UNFENCED)) {
      return ReleaseResult.LOST_LEASE;
    }
    row.phase = Phase.RELEASED;
    row.leaseEndsMillis = nowMillis();
    row.life.released.add(claim.token());
    row.life.leases.remove(claim.token());
    flush(claim.key());
    settled(claim.key());
    return ReleaseResult.RELEASED;
  }

  Set<Token> renew(List<Claim> claims) {
    Set<Token> lost = new HashSet<>();
    for (Claim claim : claims) {
      Optional<Row> row = find(claim.key());
      if (row.isPresent() && holds(row.get(), claim, SimMutant.RENEW_UNFENCED)) {
        row.get().leaseEndsMillis = nowMillis() + claim.leaseMillis();
        row.get().life.leases.replace(claim.token(), row.get().leaseEndsMillis);
        world.require(
            row.get().life.lastGranted.equals(claim.token()) || reverted,
            () -> "a claim on " + claim.key().key() + " is renewed though it was taken over");
      } else {
        lost.add(claim.token());
      }
    }
    return lost;
  }

  StepResult recordStep(Claim claim, String name, Buffer result) {
    Optional<Row> row = find(claim.key());
    if (row.isEmpty()
        || row.get().phase != Phase.IN_PROGRESS
        || !row.get().token.equals(claim.token())) {
      return StepResult.LOST_LEASE;
    }
    row.get().steps.putIfAbsent(name, result);
    return StepResult.RECORDED;
  }

  KeyState watch(ScopedKey key, SimLink by) {
    find(key)
        .filter(row -> row.phase == Phase.IN_PROGRESS)
        .ifPresent(row -> interest.computeIfAbsent(key, it -> new HashSet<>()).add(by));
    return lookup(key);
  }

  KeyState lookup(ScopedKey key) {
    Optional<Row> found = find(key);
    if (found.isEmpty()) {
      return new KeyState.Absent();
    }
    Row row = found.get();
    return switch (row.phase) {
      case IN_PROGRESS ->
          new KeyState.InProgress(
              row.fingerprint,
              row.outline,
              row.token,
              Math.max(0, row.leaseEndsMillis - nowMillis()));
      case COMPLETED ->
          new KeyState.Completed(
              row.fingerprint, row.outline, row.token, row.response, expiry(row));
      case RELEASED -> new KeyState.Released(row.fingerprint, row.outline, row.token);
    };
  }

  /** The life in which a token was granted. */
  Life lifeOf(Token token) {
    for (Life life : lives) {
      if (life.tokens.contains(token)) {
        return life;
      }
    }
    throw new SimViolation("a claim is used that was never granted");
  }

  /** Whether a token was ever granted. */
  boolean knows(Token token) {
    return lives.stream().anyMatch(life -> life.tokens.contains(token));
  }

  private void settled(ScopedKey key) {
    Set<SimLink> interested = interest.remove(key);
    if (interested != null) {
      interested.stream().sorted().forEach(link -> link.notice(key));
    }
  }

  private void flush(ScopedKey key) {
    durable.put(key, rows.get(key).copy());
  }

  /** What was acknowledged early becomes durable. */
  void flushAll() {
    rows.keySet().forEach(this::flush);
  }

  /** The store crashes: what was not durable is gone, interest as well. */
  void crash() {
    reverted = true;
    lives.forEach(life -> life.leases.clear());
    for (Map.Entry<ScopedKey, Row> entry : rows.entrySet()) {
      if (!durable.containsKey(entry.getKey())) {
        entry.getValue().life.endedNanos = world.nowNanos();
        world.tell(() -> "store: has lost its record of " + entry.getKey().key());
      }
    }
    rows.clear();
    durable.forEach((key, row) -> rows.put(key, row.copy()));
    interest.clear();
  }

  /** Unexpired rows, for the checks at the end. */
  Map<ScopedKey, Row> rows() {
    return rows;
  }
}
