package dev.latchkey.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.core.spi.Expiry;
import dev.latchkey.core.spi.Fingerprint;
import dev.latchkey.core.spi.ScopedKey;
import dev.latchkey.core.spi.StoredResponse;
import dev.latchkey.core.spi.StoredResponse.Header;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReplayCacheTest {

  private static final ClaimPolicy POLICY =
      new ClaimPolicy(10_000, 86_400_000, 300_000, false, LostOwner.TAKE_OVER);
  private static final StoredResponse RESPONSE =
      StoredResponse.of(
          201,
          List.of(new Header("Location", "/a"), new Header("X-Name", "\u20ac")),
          Buffer.buffer("x".repeat(100_000)));
  private static final Expiry LATER = new Expiry(86_400_000, 86_400_000);
  private static final long WEIGHT_BYTES =
      ReplayCache.weightBytes(
          key("k10"), new ReplayCache.Completed(Fingerprint.of(new byte[32]), RESPONSE, LATER, 0));

  private long nowNanos = 7;

  @Test
  void findsACompletedKeyAnyNumberOfTimes() {
    ReplayCache cache = cache(1 << 20);
    keep(cache, key("k"), LATER);

    for (int i = 0; i < 3; i++) {
      ReplayCache.Completed found = cache.find(key("k")).orElseThrow();
      assertThat(found.response()).isEqualTo(RESPONSE);
      assertThat(found.expiry()).isEqualTo(LATER);
      assertThat(found.fingerprint()).isEqualTo(Fingerprint.of(new byte[32]));
    }
  }

  @Test
  void keyExpiresByTheTimeLeftBeforeTheRead() {
    ReplayCache cache = cache(1 << 20);
    long askedAtNanos = nowNanos;
    nowNanos += 1_500_000;
    cache.keep(operation(key("k")), RESPONSE, new Expiry(5, 2), askedAtNanos);

    nowNanos = askedAtNanos + 1_999_999;
    assertThat(cache.find(key("k"))).isPresent();
    nowNanos = askedAtNanos + 2_000_000;
    assertThat(cache.find(key("k"))).isEmpty();
  }

  @Test
  void keyThatExpiredBeforeTheResponseArrivedIsNotFound() {
    ReplayCache cache = cache(1 << 20);

    cache.keep(operation(key("k")), RESPONSE, new Expiry(5, 2), nowNanos - 2_000_000);

    assertThat(cache.find(key("k"))).isEmpty();
  }

  @Test
  void retentionWithoutEndDoesNotOverflow() {
    ReplayCache cache = cache(1 << 20);
    keep(cache, key("k"), new Expiry(Long.MAX_VALUE, Long.MAX_VALUE));

    nowNanos += 86_400_000_000_000L;

    assertThat(cache.find(key("k"))).isPresent();
  }

  @Test
  void reusedKeyReplacesItsPredecessor() {
    ReplayCache cache = cache(1 << 20);
    for (int use = 1; use <= 30; use++) {
      Expiry expiry = new Expiry(use * 1_000L, 1);
      keep(cache, key("k"), expiry);
      assertThat(cache.find(key("k")).orElseThrow().expiry()).isEqualTo(expiry);
      nowNanos += 1_000_000;
      assertThat(cache.find(key("k"))).isEmpty();
    }
  }

  @Test
  void cacheNeverHoldsMoreThanItsBytes() {
    ReplayCache cache = cache(10 * WEIGHT_BYTES);
    for (int i = 10; i < 99; i++) {
      keep(cache, key("k" + i), LATER);
      assertThat(count(cache, 10, 99)).isBetween(1L, 10L);
    }
  }

  @Test
  void keysThatAreReplayedOutliveOthers() {
    ReplayCache cache = cache(10 * WEIGHT_BYTES);
    for (int i = 10; i < 15; i++) {
      keep(cache, key("k" + i), LATER);
    }
    for (int i = 20; i < 60; i++) {
      assertThat(count(cache, 10, 15)).isEqualTo(5);
      keep(cache, key("k" + i), LATER);
    }
  }

  @Test
  void expiredKeysMakeRoom() {
    ReplayCache cache = cache(10 * WEIGHT_BYTES);
    for (int i = 10; i < 20; i++) {
      keep(cache, key("k" + i), new Expiry(1_000, 1_000));
      cache.find(key("k" + i));
    }
    nowNanos += 10_000_000_000L;

    for (int i = 20; i < 28; i++) {
      keep(cache, key("k" + i), LATER);
    }

    assertThat(count(cache, 20, 28)).isEqualTo(8);
  }

  @Test
  void routesOfOneClientKeyAreDifferentKeys() {
    ReplayCache cache = cache(4 << 20);
    LongStream.range(0, 20)
        .forEach(i -> keep(cache, new ScopedKey("acme", "POST /" + i, "k"), new Expiry(i, 1)));

    for (int i = 0; i < 20; i++) {
      ScopedKey key = new ScopedKey("acme", "POST /" + i, "k");
      assertThat(cache.find(key).orElseThrow().expiry()).isEqualTo(new Expiry(i, 1));
    }
  }

  @Test
  void cacheOfNoBytesKeepsNothing() {
    ReplayCache cache = cache(0);
    keep(cache, key("k"), LATER);

    assertThat(cache.find(key("k"))).isEmpty();
  }

  @Test
  void responseLargerThanTheCacheIsNotKept() {
    ReplayCache cache = cache(WEIGHT_BYTES - 10);
    keep(cache, key("k"), LATER);

    assertThat(cache.find(key("k"))).isEmpty();
  }

  private ReplayCache cache(long maxBytes) {
    return new ReplayCache(maxBytes, () -> nowNanos);
  }

  private static long count(ReplayCache cache, int from, int to) {
    return IntStream.range(from, to).filter(i -> cache.find(key("k" + i)).isPresent()).count();
  }

  private void keep(ReplayCache cache, ScopedKey key, Expiry expiry) {
    cache.keep(operation(key), RESPONSE, expiry, nowNanos);
  }

  private static Operation operation(ScopedKey key) {
    return new Operation(key, Fingerprint.of(new byte[32]), POLICY);
  }

  private static ScopedKey key(String key) {
    return new ScopedKey("acme", "POST /", key);
  }
}
