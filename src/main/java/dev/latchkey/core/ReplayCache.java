package dev.latchkey.core;

import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponseCodec;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Completed answers that this node has seen, bounded in bytes. When there is no room the eldest
 * goes; one that is asked for becomes the youngest, and is spared once more if it was asked for
 * again meanwhile. A completed record never changes, so what is here is true until it expires, also
 * while the store is away. Safe for use by any thread: the keys are spread over shards, each behind
 * its own lock.
 */
final class ReplayCache {

  private static final long SHARD_BYTES = 2L << 20;
  private static final int MAX_SHARDS = 16;

  /** Some 34 years: keeps the sum of nanoseconds from overflowing. */
  private static final long MAX_MILLIS = 1L << 40;

  /**
   * How long an answer counts.
   *
   * @param expiry as the store said it
   * @param freeAtNanos when the store may give the key away at the earliest, on this node's
   *     monotonic clock
   */
  record Life(Expiry expiry, long freeAtNanos) {
    static Life of(Expiry expiry, long askedAtNanos) {
      long inMillis = Math.min(expiry.inMillis(), MAX_MILLIS);
      return new Life(expiry, askedAtNanos + inMillis * 1_000_000L);
    }
  }

  /** A completed key. Immutable for whoever gets it; the rest is guarded by its shard. */
  static final class Completed {
    private final Fingerprint fingerprint;
    private final Life life;
    private final StoredResponse response;
    private final long weightBytes;
    private long age;

    private boolean wanted;

    Completed(
        ScopedKey key, Fingerprint fingerprint, Life life, StoredResponse response, long age) {
      this.fingerprint = fingerprint;
      this.life = life;
      this.response = response;
      this.weightBytes = weightBytes(key, response);
      this.age = age;
    }

    /** Roughly how many bytes of heap an answer takes once it is asked for, and at most before. */
    static long weightBytes(ScopedKey key, StoredResponse response) {
      return 400L + 2L * (key.key().length() + key.tenant().length()) + response.weightBytes();
    }

    /** Of the request that the key names. */
    Fingerprint fingerprint() {
      return fingerprint;
    }

    /** Its answer. */
    StoredResponse response() {
      return response;
    }

    /** As the store said it. */
    Expiry expiry() {
      return life.expiry();
    }
  }

  /** None where nothing is kept. */
  private final List<Shard> shards = new ArrayList<>();

  ReplayCache(long maxBytes) {
    long count = maxBytes == 0 ? 0 : Math.max(1, Math.min(MAX_SHARDS, maxBytes / SHARD_BYTES));
    for (int i = 0; i < count; i++) {
      shards.add(new Shard(maxBytes / count));
    }
  }

  Optional<Completed> find(ScopedKey key, long nowNanos) {
    return shards.isEmpty() ? Optional.empty() : shard(key).find(key, nowNanos);
  }

  /** Keeps an answer, if it fits. */
  void keep(Operation operation, StoredResponse response, Expiry expiry, long askedAtNanos) {
    if (shards.isEmpty()) {
      return;
    }
    Shard shard = shard(operation.key());
    if (Completed.weightBytes(operation.key(), response) <= shard.maxBytes) {
      byte[] encoded = StoredResponseCodec.shared(response);
      shard.keep(operation, encoded, Life.of(expiry, askedAtNanos));
    }
  }

  /** By another hash than that of a shard's index, whose answers would crowd in a part of it. */
  private Shard shard(ScopedKey key) {
    return shards.get(Math.floorMod(key.hashCode(), shards.size()));
  }

  private static final class Shard {
    private final long maxBytes;
    private final PackedAnswers unasked;
    private final Map<ScopedKey, Completed> asked = new LinkedHashMap<>();
    private long askedBytes;
    private long lastAge;

    Shard(long maxBytes) {
      this.maxBytes = maxBytes;
      unasked = new PackedAnswers(maxBytes);
    }

    synchronized Optional<Completed> find(ScopedKey key, long nowNanos) {
      Completed found = asked.get(key);
      if (found == null) {
        int at = unasked.find(key);
        if (at < 0) {
          return Optional.empty();
        }
        found = unasked.unpack(at, key, ++lastAge);
        unasked.forget(at);
        asked.put(key, found);
        askedBytes += found.weightBytes;
        makeRoom();
      } else {
        found.wanted = true;
      }
      if (found.life.freeAtNanos() - nowNanos <= 0) {
        forgetAsked(key);
        return Optional.empty();
      }
      return Optional.of(found);
    }

    synchronized void keep(Operation operation, byte[] response, Life life) {
      ScopedKey key = operation.key();
      // The answer of an earlier life of the key.
      forgetAsked(key);
      int at = unasked.find(key);
      if (at >= 0) {
        unasked.forget(at);
      }
      unasked.add(operation, response, life, ++lastAge);
      makeRoom();
    }

    private void forgetAsked(ScopedKey key) {
      Completed forgotten = asked.remove(key);
      if (forgotten != null) {
        askedBytes -= forgotten.weightBytes;
      }
    }

    private void makeRoom() {
      while (unasked.bytes() + askedBytes > maxBytes) {
        dropEldest();
      }
    }

    private void dropEldest() {
      Iterator<Map.Entry<ScopedKey, Completed>> all = asked.entrySet().iterator();
      Map.Entry<ScopedKey, Completed> first = all.hasNext() ? all.next() : null;
      if (first == null || (!unasked.isEmpty() && unasked.eldestAge() < first.getValue().age)) {
        unasked.dropEldest();
        return;
      }
      Completed completed = first.getValue();
      all.remove();
      if (completed.wanted) {
        completed.wanted = false;
        completed.age = ++lastAge;
        asked.put(first.getKey(), completed);
      } else {
        askedBytes -= completed.weightBytes;
      }
    }
  }
}
