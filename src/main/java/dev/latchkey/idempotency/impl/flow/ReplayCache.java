package dev.latchkey.idempotency.impl.flow;

import dev.latchkey.idempotency.spi.Expiry;
import dev.latchkey.idempotency.spi.Fingerprint;
import dev.latchkey.idempotency.spi.Outline;
import dev.latchkey.idempotency.spi.ScopedKey;
import dev.latchkey.idempotency.spi.StoredResponse;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Completed answers that this node has seen, least recently used out first, bounded in bytes. A
 * completed record never changes, so what is here is true until it expires, also while the store is
 * away. Safe for use by any thread: the keys are spread over shards, each behind its own lock.
 */
final class ReplayCache {

  private static final long SHARD_BYTES = 2L << 20;
  private static final int MAX_SHARDS = 16;

  /** Some 34 years: keeps the sum of nanoseconds from overflowing. */
  private static final long MAX_MILLIS = 1L << 40;

  /**
   * A completed key.
   *
   * @param fingerprint of the request that it names
   * @param outline of that request
   * @param response its answer
   * @param expiry as the store said it
   * @param freeAtNanos when the store may give the key away at the earliest, on this node's
   *     monotonic clock
   */
  record Completed(
      Fingerprint fingerprint,
      Outline outline,
      StoredResponse response,
      Expiry expiry,
      long freeAtNanos) {
    long weightBytes(ScopedKey key) {
      return 400L + 2L * (key.key().length() + key.tenant().length()) + response.weightBytes();
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

  /** Keeps an answer, if it fits and the key has time left. */
  void keep(Operation operation, StoredResponse response, Expiry expiry, long askedAtNanos) {
    long freeAtNanos = askedAtNanos + Math.min(expiry.inMillis(), MAX_MILLIS) * 1_000_000L;
    shard(operation.key())
        .keep(
            operation.key(),
            new Completed(
                operation.fingerprint(), operation.outline(), response, expiry, freeAtNanos));
  }

  private Shard shard(ScopedKey key) {
    return shards.get(Math.floorMod(key.hashCode(), shards.size()));
  }

  private static final class Shard {
    private final long maxBytes;
    private final Map<ScopedKey, Completed> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    Shard(long maxBytes) {
      this.maxBytes = maxBytes;
    }

    synchronized Optional<Completed> find(ScopedKey key, long nowNanos) {
      Completed found = entries.get(key);
      if (found != null && found.freeAtNanos() - nowNanos <= 0) {
        entries.remove(key);
        bytes -= found.weightBytes(key);
        return Optional.empty();
      }
      return Optional.ofNullable(found);
    }

    synchronized void keep(ScopedKey key, Completed completed) {
      long weight = completed.weightBytes(key);
      if (weight > maxBytes) {
        return;
      }
      Completed before = entries.put(key, completed);
      bytes += weight - (before == null ? 0 : before.weightBytes(key));
      Iterator<Map.Entry<ScopedKey, Completed>> eldest = entries.entrySet().iterator();
      while (bytes > maxBytes) {
        Map.Entry<ScopedKey, Completed> entry = eldest.next();
        bytes -= entry.getValue().weightBytes(entry.getKey());
        eldest.remove();
      }
    }
  }
}
