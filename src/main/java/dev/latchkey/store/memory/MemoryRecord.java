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
 * The record of one key, from its first use until it expires. Keeps encoded bytes, never objects
 * that a caller could change. Not thread-safe: guarded by the lock of its {@link RecordTable}.
 * Every method gets the time, so that one transition sees one instant.
 */
final class MemoryRecord {

  /** Heap of a record, its key and its entries in the table, without texts. */
  private static final long FIXED_BYTES = 512;

  private static final long STEP_BYTES = 128;
  private static final byte[] NO_RESPONSE = {};

  private final ScopedKey key;
  private final long number;
  private final Fingerprint fingerprint;
  private final long createdAtMillis;
  private long expiresAtMillis;
  private long leaseEndsMillis;
  private Phase phase = Phase.IN_PROGRESS;
  private Token token;
  private int attempt = 1;
  private boolean takenOver;
  private boolean awaited;
  private Map<String, byte[]> steps = Map.of();
  private byte[] response = NO_RESPONSE;
  private long stepBytes;

  /** A first use. */
  MemoryRecord(ClaimRequest request, long number, long nowMillis) {
    Claim claim = request.claim();
    this.key = claim.key();
    this.number = number;
    this.fingerprint = claim.fingerprint();
    this.token = claim.token();
    this.createdAtMillis = nowMillis;
    this.expiresAtMillis = nowMillis + request.retentionMillis();
    this.leaseEndsMillis = nowMillis + claim.leaseMillis();
  }

  ScopedKey key() {
    return key;
  }

  /** Returns the number of this record in its store, in the order of first uses. */
  long number() {
    return number;
  }

  /** When the record expires unless a renewal, takeover or completion moves it. */
  long deadlineMillis() {
    return Math.max(expiresAtMillis, leaseEndsMillis);
  }

  boolean isExpired(long nowMillis) {
    return nowMillis >= deadlineMillis();
  }

  boolean isHeldBy(Token candidate) {
    return phase == Phase.IN_PROGRESS && token.equals(candidate);
  }

  boolean wasCompletedBy(Token candidate) {
    return phase == Phase.COMPLETED && token.equals(candidate);
  }

  boolean wasReleasedBy(Token candidate) {
    return phase == Phase.RELEASED && token.equals(candidate);
  }

  Expiry expiry(long nowMillis) {
    return new Expiry(expiresAtMillis, Math.max(0, expiresAtMillis - nowMillis));
  }

  /** Handles a claim of this key after its first use; grants it if it is free. */
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
    if (token.equals(claim.token())) {
      return claimed(nowMillis);
    }
    if (nowMillis < leaseEndsMillis) {
      return new ClaimResult.InFlight(leaseEndsMillis - nowMillis);
    }
    return mode == Mode.NO_TAKEOVER ? new ClaimResult.Lapsed() : grant(claim, true, nowMillis);
  }

  private ClaimResult claimReleased(Claim claim, Mode mode, long nowMillis) {
    if (token.equals(claim.token())) {
      return new ClaimResult.Withdrawn();
    }
    return mode == Mode.TAKEOVER ? new ClaimResult.Released() : grant(claim, false, nowMillis);
  }

  private ClaimResult grant(Claim claim, boolean byTakeover, long nowMillis) {
    phase = Phase.IN_PROGRESS;
    token = claim.token();
    attempt++;
    takenOver = byTakeover;
    leaseEndsMillis = nowMillis + claim.leaseMillis();
    return claimed(nowMillis);
  }

  /** The result for the current claim, also when it is sent again. */
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

  /** Completes the current claim: ends its lease, drops its steps, may move the expiry. */
  void complete(byte[] encoded, long leaseMillis, long nowMillis) {
    phase = Phase.COMPLETED;
    response = encoded;
    steps = Map.of();
    stepBytes = 0;
    leaseEndsMillis = nowMillis;
    if (nowMillis >= expiresAtMillis) {
      expiresAtMillis = nowMillis + leaseMillis;
    }
  }

  /** Ends the current claim and its lease without a response. */
  void release(long nowMillis) {
    phase = Phase.RELEASED;
    leaseEndsMillis = nowMillis;
  }

  void renew(long leaseMillis, long nowMillis) {
    leaseEndsMillis = nowMillis + leaseMillis;
  }

  /** Records a step of the current claim; a recorded name keeps its first result. */
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

  /** Registers interest in the end of the current claim, if there is one. */
  void await() {
    awaited = phase == Phase.IN_PROGRESS;
  }

  /** Ends the interest; returns whether there was any. */
  boolean takeAwaited() {
    boolean was = awaited;
    awaited = false;
    return was;
  }

  KeyState state(long nowMillis) {
    return switch (phase) {
      case IN_PROGRESS ->
          new KeyState.InProgress(fingerprint, token, Math.max(0, leaseEndsMillis - nowMillis));
      case COMPLETED ->
          new KeyState.Completed(
              fingerprint, token, StoredResponseCodec.decode(response), expiry(nowMillis));
      case RELEASED -> new KeyState.Released(fingerprint, token);
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

  /** Returns the estimated heap bytes of the record. */
  long weightBytes() {
    int keyChars = key.tenant().length() + key.route().length() + key.key().length();
    return FIXED_BYTES + keyChars + fingerprint.memberSketchBytes() + stepBytes + response.length;
  }
}
