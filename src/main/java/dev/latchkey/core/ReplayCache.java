package dev.latchkey.core;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoredResponse;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Completed keys that this node has seen, bounded in bytes. A completed record never changes, so an
 * entry is valid until its key expires, even while the store is unavailable. Safe for use by any
 * thread; works on the calling thread alone.
 */
final class ReplayCache {

  /**
   * A completed key.
   *
   * @param fingerprint of the first use
   * @param response as stored
   * @param expiry as the store reported it
   * @param freeAtNanos the earliest time, on this node's clock, at which the store may free the key
   */
  record Completed(
      Fingerprint fingerprint, StoredResponse response, Expiry expiry, long freeAtNanos) {}

  private final long maxBytes;
  private final LongSupplier clockNanos;
  private final Cache<ScopedKey, Completed> completed;

  /**
   * Makes an empty cache.
   *
   * @param maxBytes estimated heap bytes to use at most; 0 caches nothing
   * @param clockNanos the node's monotonic clock
   */
  ReplayCache(long maxBytes, LongSupplier clockNanos) {
    this.maxBytes = maxBytes;
    this.clockNanos = clockNanos;
    this.completed =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher(ReplayCache::weigh)
            .expireAfter(new UntilFree())
            .ticker(clockNanos::getAsLong)
            .executor(Runnable::run)
            .build();
  }

  Optional<Completed> find(ScopedKey key) {
    return Optional.ofNullable(completed.getIfPresent(key))
        .filter(found -> found.freeAtNanos() - clockNanos.getAsLong() > 0);
  }

  /**
   * Keeps a completed key.
   *
   * @param askedAtNanos when the store was asked; the time left counts from here
   */
  void keep(Operation operation, StoredResponse response, Expiry expiry, long askedAtNanos) {
    if (maxBytes > 0) {
      long freeAtNanos = expiry.freeAtNanos(askedAtNanos);
      completed.put(
          operation.key(),
          new Completed(operation.fingerprint(), trimmed(response), expiry, freeAtNanos));
    }
  }

  /** Copies the body: a captured buffer may have twice the capacity that it needs. */
  private static StoredResponse trimmed(StoredResponse response) {
    return new StoredResponse(
        response.retained(),
        response.status(),
        response.headers(),
        response.body().copy(),
        response.trailers());
  }

  /** Returns the estimated heap bytes of an entry. */
  static long weightBytes(ScopedKey key, Completed value) {
    return 400L
        + 2L * (key.key().length() + key.tenant().length())
        + value.fingerprint().memberSketchBytes()
        + value.response().weightBytes();
  }

  private static int weigh(ScopedKey key, Completed value) {
    return (int) Math.min(Integer.MAX_VALUE, weightBytes(key, value));
  }

  /** Removes an entry when the store may free its key. */
  private static final class UntilFree
      implements com.github.benmanes.caffeine.cache.Expiry<ScopedKey, Completed> {
    @Override
    public long expireAfterCreate(ScopedKey key, Completed value, long nowNanos) {
      return value.freeAtNanos() - nowNanos;
    }

    @Override
    public long expireAfterUpdate(
        ScopedKey key, Completed value, long nowNanos, long currentNanos) {
      return value.freeAtNanos() - nowNanos;
    }

    @Override
    public long expireAfterRead(ScopedKey key, Completed value, long nowNanos, long currentNanos) {
      return currentNanos;
    }
  }
}
