package dev.latchkey.store.memory;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.ClaimResult;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.IdempotencyStore;
import dev.latchkey.core.spi.KeyRecord;
import dev.latchkey.core.spi.KeyState;
import dev.latchkey.core.spi.Phase;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StepResult;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import dev.latchkey.core.spi.Token;
import io.vertx.core.buffer.Buffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One key's record from its first use to its completion, or its expiry if that comes first; a
 * completed one is kept as bytes ({@link CompletedRecords}) and looks like this when it is read.
 * Guarded by the monitor of the {@link KeySlot} it stands in. Every method is told the time, so
 * that one transition sees one instant.
 */
final class MemoryRecord {

  /** Says that the record has no entry in the expiry queue. */
  static final int NOT_QUEUED = -1;

  /** Heap of a record, its slot, its map and queue entries and its key, without any text. */
  private static final long FIXED_BYTES = 512;

  private static final long STEP_BYTES = 128;
  private static final byte[] NO_RESPONSE = {};

  private final ScopedKey key;
  private final Fingerprint fingerprint;
  private final long createdAtMillis;
  private long expiresAtMillis;
  private long leaseEndsMillis;
  private Phase phase = Phase.IN_PROGRESS;
  private long tokenHigh;
  private long tokenLow;
  private int attempt = 1;
  private boolean takenOver;
  private boolean awaited;
  private Map<String, byte[]> steps = Map.of();
  private byte[] response = NO_RESPONSE;
  private long stepBytes;

  /** Guarded by the lock of its stripe of the {@link ExpiryQueue}. */
  private int queueNumber = NOT_QUEUED;

  /** A first use. */
  MemoryRecord(ClaimRequest request, long nowMillis) {
    Claim claim = request.claim();
    this.key = claim.key();
    this.fingerprint = claim.fingerprint();
    setToken(claim.token());
    this.createdAtMillis = nowMillis;
    this.expiresAtMillis = later(nowMillis, request.retentionMillis());
    this.leaseEndsMillis = later(nowMillis, claim.leaseMillis());
  }

  /** A completed one, as it was. */
  MemoryRecord(
      ScopedKey key,
      Fingerprint fingerprint,
      Token token,
      int attempt,
      long createdAtMillis,
      long expiresAtMillis,
      byte[] response) {
    this.key = key;
    this.fingerprint = fingerprint;
    setToken(token);
    this.attempt = attempt;
    this.createdAtMillis = createdAtMillis;
    this.expiresAtMillis = expiresAtMillis;
    this.leaseEndsMillis = createdAtMillis;
    this.phase = Phase.COMPLETED;
    this.response = response;
  }

  /** Adds without overflow: a retention of "for ever" must not lie in the past. */
  private static long later(long nowMillis, long byMillis) {
    return byMillis > Long.MAX_VALUE - nowMillis ? Long.MAX_VALUE : nowMillis + byMillis;
  }

  /** Numbers instead of an object: a record may be kept by the million. */
  private void setToken(Token token) {
    tokenHigh = token.high();
    tokenLow = token.low();
  }

  private boolean hasToken(Token token) {
    return tokenHigh == token.high() && tokenLow == token.low();
  }

  Token token() {
    return new Token(tokenHigh, tokenLow);
  }

  ScopedKey key() {
    return key;
  }

  Fingerprint fingerprint() {
    return fingerprint;
  }

  int attempt() {
    return attempt;
  }

  /** The encoded answer of a completed record, not to be changed. */
  byte[] response() {
    return response;
  }

  /** Whether nothing about it changes any more, but that it expires. */
  boolean isCompleted() {
    return phase == Phase.COMPLETED;
  }

  int queueNumber() {
    return queueNumber;
  }

  void queueNumber(int number) {
    queueNumber = number;
  }

  /** When the record may be dropped, as things stand: a renewal or a completion moves it. */
  long deadlineMillis() {
    return Math.max(expiresAtMillis, leaseEndsMillis);
  }

  boolean isExpired(long nowMillis) {
    return nowMillis >= deadlineMillis();
  }

  long createdAtMillis() {
    return createdAtMillis;
  }

  boolean isHeldBy(Token candidate) {
    return phase == Phase.IN_PROGRESS && hasToken(candidate);
  }

  boolean wasCompletedBy(Token candidate) {
    return phase == Phase.COMPLETED && hasToken(candidate);
  }

  boolean wasReleasedBy(Token candidate) {
    return phase == Phase.RELEASED && hasToken(candidate);
  }

  Expiry expiry(long nowMillis) {
    return new Expiry(expiresAtMillis, Math.max(0, expiresAtMillis - nowMillis));
  }

  /** Answers a claim of this key, which is not its first use, and grants it where it may. */
  ClaimResult claim(ClaimRequest request, long nowMillis) {
    Claim claim = request.claim();
    if (!fingerprint.equals(claim.fingerprint())) {
      return new ClaimResult.Mismatch(
          phase,
          fingerprint,
          phase == Phase.COMPLETED ? Optional.of(expiry(nowMillis)) : Optional.empty());
    }
    return switch (phase) {
      case COMPLETED ->
          new ClaimResult.Completed(StoredResponseCodec.decode(response), expiry(nowMillis));
      case IN_PROGRESS -> claimHeld(claim, request.mode(), nowMillis);
      case RELEASED -> claimReleased(claim, request.mode(), nowMillis);
    };
  }

  private ClaimResult claimHeld(Claim claim, Mode mode, long nowMillis) {
    if (hasToken(claim.token())) {
      return claimed(nowMillis);
    }
    if (nowMillis < leaseEndsMillis) {
      return new ClaimResult.InFlight(leaseEndsMillis - nowMillis);
    }
    return mode == Mode.NO_TAKEOVER ? new ClaimResult.Lapsed() : grant(claim, true, nowMillis);
  }

  private ClaimResult claimReleased(Claim claim, Mode mode, long nowMillis) {
    if (hasToken(claim.token())) {
      return new ClaimResult.Withdrawn();
    }
    return mode == Mode.TAKEOVER ? new ClaimResult.Released() : grant(claim, false, nowMillis);
  }

  private ClaimResult grant(Claim claim, boolean byTakeover, long nowMillis) {
    phase = Phase.IN_PROGRESS;
    setToken(claim.token());
    attempt++;
    takenOver = byTakeover;
    leaseEndsMillis = later(nowMillis, claim.leaseMillis());
    return claimed(nowMillis);
  }

  /** Answers that the present claim is granted; also when it is sent again. */
  ClaimResult claimed(long nowMillis) {
    return new ClaimResult.Claimed(attempt, stepBuffers(), expiry(nowMillis), takenOver);
  }

  private Map<String, Buffer> stepBuffers() {
    if (steps.isEmpty()) {
      return Map.of();
    }
    Map<String, Buffer> buffers = new LinkedHashMap<>();
    steps.forEach((name, bytes) -> buffers.put(name, Buffer.buffer(bytes)));
    return Collections.unmodifiableMap(buffers);
  }

  /** Ends the present claim with an answer. The lease ends with it; the expiry may move. */
  void complete(byte[] encoded, long leaseMillis, long nowMillis) {
    phase = Phase.COMPLETED;
    response = encoded;
    leaseEndsMillis = nowMillis;
    if (nowMillis >= expiresAtMillis) {
      expiresAtMillis = later(nowMillis, leaseMillis);
    }
  }

  /** Ends the present claim without an answer, and its lease with it. */
  void release(long nowMillis) {
    phase = Phase.RELEASED;
    leaseEndsMillis = nowMillis;
  }

  void renew(long leaseMillis, long nowMillis) {
    leaseEndsMillis = later(nowMillis, leaseMillis);
  }

  /** Records a step of the present claim; a name that is there already keeps its result. */
  StepResult recordStep(String name, Buffer result) {
    if (steps.containsKey(name)) {
      return StepResult.RECORDED;
    }
    if (steps.size() >= IdempotencyStore.MAX_STEPS
        || result.length() > IdempotencyStore.MAX_STEP_BYTES) {
      return StepResult.TOO_MANY;
    }
    if (steps.isEmpty()) {
      steps = new LinkedHashMap<>();
    }
    steps.put(name, result.getBytes());
    stepBytes += STEP_BYTES + name.length() + result.length();
    return StepResult.RECORDED;
  }

  /** Registers interest in the end of the present claim, if there is one. */
  void await() {
    awaited = phase == Phase.IN_PROGRESS;
  }

  /** Tells whether anybody was interested, and ends the interest. */
  boolean takeAwaited() {
    boolean was = awaited;
    awaited = false;
    return was;
  }

  KeyState state(long nowMillis) {
    return switch (phase) {
      case IN_PROGRESS ->
          new KeyState.InProgress(fingerprint, token(), Math.max(0, leaseEndsMillis - nowMillis));
      case COMPLETED ->
          new KeyState.Completed(
              fingerprint, token(), StoredResponseCodec.decode(response), expiry(nowMillis));
      case RELEASED -> new KeyState.Released(fingerprint, token());
    };
  }

  KeyRecord toKeyRecord() {
    OptionalInt status = OptionalInt.empty();
    Optional<String> location = Optional.empty();
    if (phase == Phase.COMPLETED) {
      StoredResponse stored = StoredResponseCodec.decode(response);
      status = OptionalInt.of(stored.status());
      location = stored.header("Location");
    }
    return new KeyRecord(key, phase, attempt, status, location, createdAtMillis, expiresAtMillis);
  }

  /** Returns roughly how many bytes the record occupies on the heap. */
  long weightBytes() {
    int keyChars = key.tenant().length() + key.route().length() + key.key().length();
    return FIXED_BYTES + keyChars + fingerprint.memberSketchBytes() + stepBytes + response.length;
  }
}
