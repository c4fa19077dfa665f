package dev.latchkey.store;

import dev.latchkey.core.spi.Claim;
import dev.latchkey.core.spi.ClaimRequest;
import dev.latchkey.core.spi.ClaimRequest.Mode;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.Token;
import java.util.Arrays;
import java.util.UUID;

/** One attempt at one key, as a test makes it: a claim request with its parts easy to vary. */
public record Attempt(ClaimRequest request) {

  /** A lease that no test waits for. */
  public static final long LONG_LEASE_MILLIS = 600_000;

  /** A retention that no test waits for. */
  public static final long LONG_RETENTION_MILLIS = 86_400_000;

  /** A first attempt at an unused key, with a long lease and retention. */
  public static Attempt atNewKey() {
    return ofTenant("tenant");
  }

  /** A first attempt at an unused key of a tenant. */
  public static Attempt ofTenant(String tenant) {
    return at(new ScopedKey(tenant, "POST /v1/things", UUID.randomUUID().toString()));
  }

  /** A first attempt at a given key, with a long lease and retention. */
  public static Attempt at(ScopedKey key) {
    Claim claim = new Claim(key, newFingerprint(), newToken(), LONG_LEASE_MILLIS);
    return new Attempt(new ClaimRequest(claim, LONG_RETENTION_MILLIS, Mode.ARRIVAL, false));
  }

  /** The requested claim. */
  public Claim claim() {
    return request.claim();
  }

  /** The requested key. */
  public ScopedKey key() {
    return claim().key();
  }

  /** The requested token. */
  public Token token() {
    return claim().token();
  }

  /** The same request by another caller, with its own token. */
  public Attempt retried() {
    return withClaim(new Claim(key(), claim().fingerprint(), newToken(), claim().leaseMillis()));
  }

  /** Another request under the same key. */
  public Attempt otherRequest() {
    return withClaim(new Claim(key(), newFingerprint(), newToken(), claim().leaseMillis()));
  }

  /** The same attempt with another lease, and a retention that is not shorter. */
  public Attempt withLease(long leaseMillis) {
    return withClaim(new Claim(key(), claim().fingerprint(), token(), leaseMillis));
  }

  /** The same attempt with another token. */
  public Attempt withToken(Token token) {
    return withClaim(new Claim(key(), claim().fingerprint(), token, claim().leaseMillis()));
  }

  /** The same attempt with another retention. */
  public Attempt withRetention(long retentionMillis) {
    return new Attempt(
        new ClaimRequest(claim(), retentionMillis, request.mode(), request.effectsInStore()));
  }

  /** The same attempt with another member sketch. */
  public Attempt withSketch(byte[] memberSketch) {
    Fingerprint fingerprint = Fingerprint.of(claim().fingerprint().hash(), memberSketch);
    return withClaim(new Claim(key(), fingerprint, token(), claim().leaseMillis()));
  }

  /** The same attempt in another mode. */
  public Attempt withMode(Mode mode) {
    return new Attempt(request.withMode(mode));
  }

  private Attempt withClaim(Claim claim) {
    return new Attempt(
        new ClaimRequest(
            claim,
            Math.max(request.retentionMillis(), claim.leaseMillis()),
            request.mode(),
            request.effectsInStore()));
  }

  /** A unique token. */
  public static Token newToken() {
    UUID random = UUID.randomUUID();
    return new Token(random.getMostSignificantBits(), random.getLeastSignificantBits());
  }

  private static Fingerprint newFingerprint() {
    byte[] hash = UUID.randomUUID().toString().substring(4).getBytes();
    return Fingerprint.of(hash, Arrays.copyOf(hash, 9));
  }
}
