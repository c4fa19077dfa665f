package dev.latchkey.core;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.CompleteResult;
import dev.latchkey.core.spi.Effect;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ReleaseResult;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.Token;
import io.vertx.core.buffer.Buffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The simulated store: does exactly what the SPI specifies, each call in one step. */
final class SimStore {

  /** Observes the events that promptness depends on. */
  interface Observer {
    /** A claim was granted. */
    void granted(SimStoreRow row);

    /** The end of a lease moved. */
    void leased(SimStoreRow row);

    /** An owner lost its claim. */
    void takenOver(SimStoreRow row, Token owner);

    /** A key was completed or released. */
    void settled(SimStoreRow row);
  }

  private static final long CLOSE_MILLIS = 20;

  final SimStoreRows rows;
  final SimKeyLives lives;
  private final SimWorld world;
  private final Observer observer;

  SimStore(SimWorld world, SimStoreRows rows, SimKeyLives lives, Observer observer) {
    this.world = world;
    this.rows = rows;
    this.lives = lives;
    this.observer = observer;
  }

  /**
   * Claims a key.
   *
   * @param skewMillis error of the clock that decides leases; 0 for the store's own
   */
  ClaimResult claim(ClaimRequest request, long skewMillis) {
    Claim claim = request.claim();
    Optional<SimStoreRow> found = rows.find(claim.key());
    if (found.isEmpty()) {
      return firstUse(request);
    }
    SimStoreRow row = found.get();
    boolean lapsed = rows.nowMillis() + skewMillis >= row.leaseEndsMillis;
    if (!row.fingerprint.equals(claim.fingerprint()) && !ignoresFingerprint(row, lapsed)) {
      Optional<Expiry> expiry =
          row.phase == Phase.COMPLETED ? Optional.of(rows.expiry(row)) : Optional.empty();
      return new ClaimResult.Mismatch(row.phase, row.fingerprint, expiry);
    }
    return switch (row.phase) {
      case COMPLETED -> new ClaimResult.Completed(row.response, rows.expiry(row));
      case RELEASED -> claimReleased(row, request);
      case IN_PROGRESS -> claimInProgress(row, request, lapsed);
    };
  }

  private boolean ignoresFingerprint(SimStoreRow row, boolean lapsed) {
    return world.has(SimMutant.TAKEOVER_IGNORES_FINGERPRINT)
            && row.phase == Phase.IN_PROGRESS
            && lapsed
        || world.has(SimMutant.RELEASE_FORGETS_REQUEST) && row.phase == Phase.RELEASED;
  }

  private ClaimResult claimReleased(SimStoreRow row, ClaimRequest request) {
    if (row.token.equals(request.claim().token())) {
      return new ClaimResult.Withdrawn();
    }
    return request.mode() == Mode.TAKEOVER
        ? new ClaimResult.Released()
        : grant(row, request, false);
  }

  private ClaimResult claimInProgress(SimStoreRow row, ClaimRequest request, boolean lapsed) {
    if (row.token.equals(request.claim().token())) {
      return claimed(row);
    }
    long heldMillis = request.claim().leaseMillis() - (row.leaseEndsMillis - rows.nowMillis());
    if (world.has(SimMutant.CLAIM_NOT_ATOMIC) && heldMillis < CLOSE_MILLIS) {
      return grant(row, request, false);
    }
    if (!lapsed) {
      return new ClaimResult.InFlight(row.leaseEndsMillis - rows.nowMillis());
    }
    return request.mode() == Mode.NO_TAKEOVER
        ? new ClaimResult.Lapsed()
        : grant(row, request, true);
  }

  private ClaimResult firstUse(ClaimRequest request) {
    Claim claim = request.claim();
    SimStoreRow row = new SimStoreRow();
    row.life = lives.born(claim.key(), claim.fingerprint());
    row.fingerprint = claim.fingerprint();
    row.expiresMillis = rows.nowMillis() + request.retentionMillis();
    rows.put(claim.key(), row);
    hold(row, request);
    return claimed(row);
  }

  private ClaimResult grant(SimStoreRow row, ClaimRequest request, boolean takenOver) {
    Token owner = row.token;
    row.phase = Phase.IN_PROGRESS;
    row.fingerprint = request.claim().fingerprint();
    row.attempt++;
    row.takenOver = takenOver;
    if (takenOver) {
      takenOver(row, owner);
    }
    hold(row, request);
    return claimed(row);
  }

  private void takenOver(SimStoreRow row, Token owner) {
    observer.takenOver(row, owner);
    if (world.has(SimMutant.INTEREST_DROPPED_AT_TAKEOVER)) {
      rows.dropInterest(row.life.key);
    }
    if (world.has(SimMutant.STEPS_DROPPED_AT_TAKEOVER)) {
      row.steps.clear();
    }
  }

  private void hold(SimStoreRow row, ClaimRequest request) {
    Claim claim = request.claim();
    row.token = claim.token();
    row.leaseEndsMillis = rows.nowMillis() + claim.leaseMillis();
    lives.granted(row);
    observer.granted(row);
    observer.leased(row);
    if (!request.effectsInStore()) {
      rows.flush(claim.key());
    }
  }

  private ClaimResult claimed(SimStoreRow row) {
    return new ClaimResult.Claimed(
        row.attempt, Map.copyOf(row.steps), rows.expiry(row), row.takenOver);
  }

  private boolean holds(SimStoreRow row, Claim claim, SimMutant unfenced) {
    return row.isHeldBy(claim.token()) || row.phase == Phase.IN_PROGRESS && world.has(unfenced);
  }

  CompleteResult complete(Claim claim, StoredResponse response, List<Effect> effects) {
    Optional<SimStoreRow> found = rows.find(claim.key());
    if (found.isEmpty()) {
      return new CompleteResult.LostLease();
    }
    SimStoreRow row = found.get();
    if (row.phase == Phase.COMPLETED && row.token.equals(claim.token())) {
      return new CompleteResult.Completed(rows.expiry(row));
    }
    if (!holds(row, claim, SimMutant.COMPLETE_UNFENCED)
        && !world.has(SimMutant.COMPLETE_UNFENCED)) {
      return new CompleteResult.LostLease();
    }
    String text = response.body().toString();
    for (Effect effect : effects) {
      SimEffect write = (SimEffect) effect;
      if (write.applies() && write.seenVersion() == lives.ledger.size()) {
        lives.ledger.add(text);
      } else if (!world.has(SimMutant.REFUSED_EFFECT_LEFT_OUT)) {
        return new CompleteResult.EffectRefused(write.name(), write.toString());
      }
    }
    commit(row, claim, response);
    return new CompleteResult.Completed(rows.expiry(row));
  }

  private void commit(SimStoreRow row, Claim claim, StoredResponse response) {
    lives.committed(row.life, claim, response.body().toString());
    row.phase = Phase.COMPLETED;
    row.response = response;
    row.token = claim.token();
    row.leaseEndsMillis = rows.nowMillis();
    if (rows.nowMillis() >= row.expiresMillis) {
      row.expiresMillis = rows.nowMillis() + claim.leaseMillis();
    }
    rows.flush(claim.key());
    observer.settled(row);
    rows.settled(claim.key());
  }

  ReleaseResult release(Claim claim) {
    Optional<SimStoreRow> found = rows.find(claim.key());
    if (found.isEmpty()) {
      return ReleaseResult.LOST_LEASE;
    }
    SimStoreRow row = found.get();
    if (row.phase == Phase.RELEASED && row.token.equals(claim.token())) {
      return ReleaseResult.RELEASED;
    }
    if (!holds(row, claim, SimMutant.RELEASE_UNFENCED)) {
      return ReleaseResult.LOST_LEASE;
    }
    row.phase = Phase.RELEASED;
    row.leaseEndsMillis = rows.nowMillis();
    lives.released(row.life, claim.token());
    rows.flush(claim.key());
    observer.settled(row);
    rows.settled(claim.key());
    return ReleaseResult.RELEASED;
  }

  Set<Token> renew(List<Claim> claims) {
    Set<Token> lost = new HashSet<>();
    for (Claim claim : claims) {
      Optional<SimStoreRow> found =
          rows.find(claim.key()).filter(row -> holds(row, claim, SimMutant.RENEW_UNFENCED));
      if (found.isEmpty()) {
        lost.add(claim.token());
        continue;
      }
      SimStoreRow row = found.get();
      row.leaseEndsMillis = rows.nowMillis() + claim.leaseMillis();
      lives.renewed(row, claim);
      observer.leased(row);
    }
    return lost;
  }

  StepResult recordStep(Claim claim, String name, Buffer result) {
    Optional<SimStoreRow> row = rows.find(claim.key()).filter(it -> it.isHeldBy(claim.token()));
    row.ifPresent(it -> it.steps.putIfAbsent(name, result));
    return row.isPresent() ? StepResult.RECORDED : StepResult.LOST_LEASE;
  }

  KeyState watch(ScopedKey key, SimStoreConnection by) {
    rows.watch(key, by);
    return lookup(key);
  }

  KeyState lookup(ScopedKey key) {
    Optional<SimStoreRow> found = rows.find(key);
    if (found.isEmpty()) {
      return new KeyState.Absent();
    }
    SimStoreRow row = found.get();
    return switch (row.phase) {
      case IN_PROGRESS ->
          new KeyState.InProgress(
              row.fingerprint, row.token, Math.max(0, row.leaseEndsMillis - rows.nowMillis()));
      case COMPLETED ->
          new KeyState.Completed(row.fingerprint, row.token, row.response, rows.expiry(row));
      case RELEASED -> new KeyState.Released(row.fingerprint, row.token);
    };
  }

  /** The store crashes: early acknowledgements may be lost. */
  void crash() {
    lives.crashed();
    rows.crash();
  }
}
