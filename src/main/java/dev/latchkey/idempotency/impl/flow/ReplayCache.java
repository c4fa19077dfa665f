package dev.latchkey.idempotency.impl.flow;

import dev.latchkey.idempotency.spi.Expiry;
import dev.latchkey.idempotency.spi.Fingerprint;
import dev.latchkey.idempotency.spi.Outline;
import dev.latchkey.idempotency.spi.ScopedKey;
import dev.latchkey.idempotency.spi.StoredResponse;
import dev.latchkey.idempotency.spi.StoredResponseCodec;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Completed answers that this node has seen, bounded in bytes. When there is no room the eldest
 * goes, but one that was asked for meanwhile is spared once and becomes the youngest. A completed
 * record never changes, so what is here is true until it expires, also while the store is away.
 * Safe for use by any thread: the keys are spread over shards, each behind its own lock.
 */
final class ReplayCache {

  private static final long SHARD_BYTES = 2L << 20;
  private static final int MAX_SHARDS = 16;

  /** Some 34 years: keeps the sum of nanoseconds from overflowing. */
  private static final long MAX_MILLIS = 1L << 40;

  /** A completed key. Immutable for whoever gets it; the rest is guarded by its shard. */
  static final class Completed {
    private final Fingerprint fingerprint;
    private final Outline outline;
    private final long expiresAtEpochMillis;
    private final long expiresInMillis;
    private final long freeAtNanos;
    private long weightBytes;

    /** How the request was sent when it came again; nothing until then, and where it is long. */
    private @Nullable SentRequest sent;

    /**
     * Encoded until somebody asks for it, then decoded: most never are, and what stays for long is
     * not to be made of a dozen objects. A race decodes it twice, which does no harm.
     */
    private Object response;

    private boolean wanted;

    Completed(Operation operation, StoredResponse response, Expiry expiry, long askedAtNanos) {
      this.fingerprint = operation.fingerprint();
      this.outline = operation.outline();
      this.response = StoredResponseCodec.shared(response);
      this.expiresAtEpochMillis = expiry.atEpochMillis();
      this.expiresInMillis = expiry.inMillis();
      this.freeAtNanos = askedAtNanos + Math.min(expiresInMillis, MAX_MILLIS) * 1_000_000L;
      this.weightBytes = weightBytes(operation.key(), response);
    }

    static long weightBytes(ScopedKey key, StoredResponse response) {
      return 400L + 2L * (key.key().length() + key.tenant().length()) + response.weightBytes();
    }

    /** Of the request that the key names. */
    Fingerprint fingerprint() {
      return fingerprint;
    }

    /** Of that request. */
    Outline outline() {
      return outline;
    }

    /** Its answer. */
    StoredResponse response() {
      Object kept = response;
      if (kept instanceof StoredResponse decoded) {
        return decoded;
      }
      StoredResponse decoded = StoredResponseCodec.decode((byte[]) kept);
      response = decoded;
      return decoded;
    }

    /** Whether nobody has noted yet how its request is sent. */
    boolean isUnsent() {
      return sent == null;
    }

    /** Whether its request is known to be sent in this very way. */
    boolean isSentAs(SentRequest request) {
      SentRequest known = sent;
      return known != null && known.isSame(request);
    }

    /** As the store said it. */
    Expiry expiry() {
      return new Expiry(expiresAtEpochMillis, expiresInMillis);
    }
  }

  private final List<Shard> shards = new ArrayList<>();

  ReplayCache(long maxBytes) {
    int count = (int) Math.max(1, Math.min(MAX_SHARDS, maxBytes / SHARD_BYTES));
    for (int i = 0; i < count; i++) {
      shards.add(new Shard(maxBytes / count));
    }
  }

  Optional<Completed> find(ScopedKey key, long nowNanos) {
    return shard(key).find(key, nowNanos);
  }

  /**
   * Notes how the request of a completed key is sent, which came again and was found to be the one
   * that the key names. The first way counts, others are left alone; nothing is noted where it does
   * not fit.
   */
  void note(ScopedKey key, Completed completed, SentRequest sent) {
    shard(key).note(key, completed, sent);
  }

  /** Keeps an answer, if it fits. */
  void keep(Operation operation, StoredResponse response, Expiry expiry, long askedAtNanos) {
    Shard shard = shard(operation.key());
    if (Completed.weightBytes(operation.key(), response) <= shard.maxBytes) {
      shard.keep(operation.key(), new Completed(operation, response, expiry, askedAtNanos));
    }
  }

  private Shard shard(ScopedKey key) {
    return shards.get(Math.floorMod(key.hashCode(), shards.size()));
  }

  private static final class Shard {
    private final long maxBytes;
    private final Map<ScopedKey, Completed> entries = new LinkedHashMap<>();
    private long bytes;

    Shard(long maxBytes) {
      this.maxBytes = maxBytes;
    }

    synchronized Optional<Completed> find(ScopedKey key, long nowNanos) {
      Completed found = entries.get(key);
      if (found == null) {
        return Optional.empty();
      }
      // When the store may give the key away at the earliest, on this node's monotonic clock.
      if (found.freeAtNanos - nowNanos <= 0) {
        entries.remove(key);
        bytes -= found.weightBytes;
        return Optional.empty();
      }
      found.wanted = true;
      return Optional.of(found);
    }

    synchronized void note(ScopedKey key, Completed completed, SentRequest sent) {
      long weightBytes = completed.weightBytes + sent.weightBytes();
      if (entries.get(key) != completed || completed.sent != null || weightBytes > maxBytes) {
        return;
      }
      bytes += sent.weightBytes();
      completed.weightBytes = weightBytes;
      completed.sent = sent;
      makeRoom();
    }

    synchronized void keep(ScopedKey key, Completed completed) {
      Completed before = entries.put(key, completed);
      bytes += completed.weightBytes - (before == null ? 0 : before.weightBytes);
      makeRoom();
    }

    private void makeRoom() {
      while (bytes > maxBytes) {
        dropEldest();
      }
    }

    private void dropEldest() {
      Iterator<Map.Entry<ScopedKey, Completed>> all = entries.entrySet().iterator();
      Map.Entry<ScopedKey, Completed> eldest = all.next();
      Completed completed = eldest.getValue();
      all.remove();
      if (completed.wanted) {
        completed.wanted = false;
        entries.put(eldest.getKey(), completed);
      } else {
        bytes -= completed.weightBytes;
      }
    }
  }
}
