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
import org.junit.jupiter.api.Test;

class ReplayCacheTest {

  private static final ClaimPolicy TERMS =
      new ClaimPolicy(10_000, 86_400_000, 300_000, false, LostOwner.TAKE_OVER);
  private static final StoredResponse RESPONSE =
      StoredResponse.of(
          201,
          List.of(new Header("Location", "/a"), new Header("X-Name", "\u20ac")),
          Buffer.buffer("x".repeat(100_000)));
  private static final Expiry LATER = new Expiry(86_400_000, 86_400_000);

  @Test
  void givesBackWhatItWasGivenAsOftenAsItIsAsked() {
    ReplayCache cache = new ReplayCache(1 << 20);
    keep(cache, "k", LATER);

    for (int i = 0; i < 3; i++) {
      ReplayCache.Completed found = cache.find(key("k"), 0).orElseThrow();
      assertThat(found.response()).isEqualTo(RESPONSE);
      assertThat(found.expiry()).isEqualTo(LATER);
      assertThat(found.fingerprint().memberSketch()).isEmpty();
      assertThat(found.fingerprint()).isEqualTo(Fingerprint.of(new byte[32]));
    }
  }

  @Test
  void forgetsAKeyThatTheStoreMayGiveAway() {
    ReplayCache cache = new ReplayCache(1 << 20);
    keep(cache, "k", new Expiry(5, 2));

    assertThat(cache.find(key("k"), 1_999_999)).isPresent();
    assertThat(cache.find(key("k"), 2_000_000)).isEmpty();
    assertThat(cache.find(key("k"), 0)).isEmpty();
  }

  @Test
  void whenItIsFullTheEldestGoButForThoseThatWereAskedFor() {
    ReplayCache cache = new ReplayCache(10 * weight());
    for (int i = 0; i < 10; i++) {
      keep(cache, "k" + i, LATER);
    }
    assertThat(cache.find(key("k0"), 0)).isPresent();

    keep(cache, "k10", LATER);
    keep(cache, "k11", LATER);

    assertThat(held(cache)).containsExactly("k0", "k3", "k4", "k5", "k6", "k7", "k8", "k9");
  }

  @Test
  void whoWasAskedForOnceGoesInItsTurn() {
    ReplayCache cache = new ReplayCache(10 * weight());
    for (int i = 0; i < 5; i++) {
      keep(cache, "k" + i, LATER);
    }
    assertThat(held(cache)).hasSize(5);
    for (int i = 10; i < 15; i++) {
      keep(cache, "k" + i, LATER);
    }

    keep(cache, "k15", LATER);
    keep(cache, "k16", LATER);

    assertThat(held(cache)).containsExactly("k2", "k3", "k4");
    assertThat(count(cache, 10, 17)).isEqualTo(7);
  }

  @Test
  void whoWasAskedForAgainMeanwhileIsSpared() {
    ReplayCache cache = new ReplayCache(10 * weight());
    keep(cache, "k0", LATER);
    keep(cache, "k1", LATER);
    assertThat(held(cache)).containsExactly("k0", "k1");
    assertThat(cache.find(key("k0"), 0)).isPresent();

    for (int i = 10; i < 19; i++) {
      keep(cache, "k" + i, LATER);
    }

    assertThat(held(cache)).containsExactly("k0");
    assertThat(count(cache, 10, 19)).isEqualTo(9);
  }

  @Test
  void aLaterLifeOfAKeyTakesThePlaceOfTheOneBefore() {
    ReplayCache cache = new ReplayCache(10 * weight());
    for (int i = 0; i < 10; i++) {
      keep(cache, "k" + i, LATER);
    }

    for (int life = 1; life <= 30; life++) {
      Expiry expiry = new Expiry(LATER.atEpochMillis() + life, LATER.inMillis());
      keep(cache, "k9", expiry);
      if (life % 2 == 0) {
        assertThat(cache.find(key("k9"), 0).orElseThrow().expiry()).isEqualTo(expiry);
      }
    }

    assertThat(held(cache)).hasSize(10);
  }

  @Test
  void keysOfOneClientKeyDoNotMeet() {
    ReplayCache cache = new ReplayCache(4 << 20);
    for (int route = 0; route < 20; route++) {
      ScopedKey key = new ScopedKey("acme", "POST /" + route, "k");
      keep(cache, key, new Expiry(route + 1, 1));
    }

    for (int route = 0; route < 20; route++) {
      ScopedKey key = new ScopedKey("acme", "POST /" + route, "k");
      assertThat(cache.find(key, 0).orElseThrow().expiry()).isEqualTo(new Expiry(route + 1, 1));
    }
  }

  @Test
  void keepsNothingThatDoesNotFit() {
    ReplayCache none = new ReplayCache(0);
    keep(none, "k", LATER);

    assertThat(none.find(key("k"), 0)).isEmpty();
  }

  /** Of the first ten keys; asking for them changes who is spared, so each cache is asked once. */
  private static List<String> held(ReplayCache cache) {
    return IntStream.range(0, 10)
        .mapToObj(i -> "k" + i)
        .filter(name -> cache.find(key(name), 0).isPresent())
        .toList();
  }

  private static long count(ReplayCache cache, int from, int to) {
    return IntStream.range(from, to).filter(i -> cache.find(key("k" + i), 0).isPresent()).count();
  }

  private static void keep(ReplayCache cache, String key, Expiry expiry) {
    keep(cache, key(key), expiry);
  }

  private static void keep(ReplayCache cache, ScopedKey key, Expiry expiry) {
    Operation operation = new Operation(key, Fingerprint.of(new byte[32]), TERMS);
    cache.keep(operation, RESPONSE, expiry, 0);
  }

  private static long weight() {
    return ReplayCache.Completed.weightBytes(key("k10"), RESPONSE);
  }

  private static ScopedKey key(String key) {
    return new ScopedKey("acme", "POST /", key);
  }
}
