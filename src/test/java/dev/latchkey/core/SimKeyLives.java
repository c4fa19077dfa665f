package dev.latchkey.core;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.Token;
import java.util.ArrayList;
import java.util.List;

/** Every life of every key, and what the store must never do. */
final class SimKeyLives {

  private final SimWorld world;
  private final List<SimKeyLife> lives = new ArrayList<>();

  /** The ledger: texts of responses with an effect. */
  final List<String> ledger = new ArrayList<>();

  private boolean crashed;

  SimKeyLives(SimWorld world) {
    this.world = world;
  }

  List<SimKeyLife> all() {
    return lives;
  }

  SimKeyLife born(ScopedKey key, Fingerprint fingerprint) {
    SimKeyLife life = new SimKeyLife(key, fingerprint);
    lives.add(life);
    return life;
  }

  void granted(SimStoreRow row) {
    row.life.grantedNanos.putIfAbsent(row.token, world.nowNanos());
    row.life.lastGranted = row.token;
    row.life.leases.put(row.token, row.leaseEndsMillis);
  }

  void renewed(SimStoreRow row, Claim claim) {
    row.life.leases.replace(claim.token(), row.leaseEndsMillis);
    world.require(
        row.life.lastGranted.equals(claim.token()) || crashed,
        () -> "a claim on " + claim.key().key() + " is renewed though it was taken over");
  }

  /** An owner learns that its claim is lost. */
  void lost(Claim claim, long nowMillis) {
    for (SimKeyLife life : lives) {
      Long leaseEnds = life.leases.get(claim.token());
      world.require(
          leaseEnds == null || nowMillis >= leaseEnds,
          () -> "a claim on " + claim.key().key() + " is lost under its live lease");
    }
  }

  /** A response is committed. */
  void committed(SimKeyLife life, Claim claim, String text) {
    world.require(
        life.committed.isEmpty(),
        () -> "a second effect of " + claim.key().key() + ": " + text + ", " + life.committed);
    world.require(
        life.fingerprint.equals(claim.fingerprint()),
        () -> "another request took effect under " + claim.key().key() + ": " + text);
    for (SimKeyLife other : lives) {
      world.require(
          !other.committed.equals(text), () -> "the effect of one run is written twice: " + text);
    }
    life.committed = text;
    life.leases.remove(claim.token());
  }

  void released(SimKeyLife life, Token token) {
    life.releasedNanos.put(token, world.nowNanos());
    life.leases.remove(token);
  }

  /** The store crashed: early acknowledgements are void. */
  void crashed() {
    crashed = true;
    lives.forEach(life -> life.leases.clear());
  }

  boolean storeHasCrashed() {
    return crashed;
  }

  /** The life in which a token was granted, the last one if it was granted again. */
  SimKeyLife of(Token token) {
    for (int i = lives.size() - 1; i >= 0; i--) {
      if (lives.get(i).grantedNanos.containsKey(token)) {
        return lives.get(i);
      }
    }
    throw new SimViolation("a claim is used that was never granted");
  }

  /** When a token was first granted, in any life of its key. */
  long firstGrantedNanos(Token token) {
    return lives.stream()
        .map(life -> life.grantedNanos.getOrDefault(token, Long.MAX_VALUE))
        .min(Long::compare)
        .orElse(Long.MAX_VALUE);
  }

  /** Whether the key of this token has expired since then. */
  boolean hasExpiredSince(long nanos, Token token) {
    long nowNanos = world.nowNanos();
    return !crashed
        && lives.stream()
            .anyMatch(
                life ->
                    life.grantedNanos.containsKey(token)
                        && life.endedNanos >= nanos
                        && life.isOver(nowNanos));
  }

  /** Whether a token was ever granted. */
  boolean knows(Token token) {
    return lives.stream().anyMatch(life -> life.grantedNanos.containsKey(token));
  }
}
