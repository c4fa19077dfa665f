package dev.latchkey.idempotency.impl.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.idempotency.spi.Expiry;
import dev.latchkey.idempotency.spi.StoredResponse;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplayCacheTest {

  private static final Expiry EXPIRY = new Expiry(1_000, 1_000);

  private static StoredResponse answer(int bytes) {
    return StoredResponse.of(200, List.of(), Buffer.buffer(new byte[bytes]));
  }

  @Test
  void keepsWhatWasUsedLastWithinItsBytes() {
    ReplayCache cache = new ReplayCache(100_000);
    for (int i = 0; i < 1_000; i++) {
      cache.keep(World.operation("key" + i, "pay"), answer(1_000), EXPIRY, 0);
      assertThat(cache.find(World.operation("key0", "pay").key(), 0)).as("used").isPresent();
    }
    long kept =
        java.util.stream.IntStream.range(0, 1_000)
            .filter(i -> cache.find(World.operation("key" + i, "pay").key(), 0).isPresent())
            .count();
    assertThat(kept).isBetween(30L, 99L);
    assertThat(cache.find(World.operation("key999", "pay").key(), 0)).isPresent();
    assertThat(cache.find(World.operation("key1", "pay").key(), 0)).isEmpty();
  }

  @Test
  void leavesOutWhatAloneIsTooLarge() {
    ReplayCache cache = new ReplayCache(10_000);
    cache.keep(World.operation("small", "pay"), answer(10), EXPIRY, 0);
    cache.keep(World.operation("large", "pay"), answer(20_000), EXPIRY, 0);
    assertThat(cache.find(World.operation("large", "pay").key(), 0)).isEmpty();
    assertThat(cache.find(World.operation("small", "pay").key(), 0)).isPresent();
  }

  @Test
  void keepsNothingWithoutRoom() {
    ReplayCache cache = new ReplayCache(0);
    cache.keep(World.operation("key", "pay"), answer(0), EXPIRY, 0);
    assertThat(cache.find(World.operation("key", "pay").key(), 0)).isEmpty();
  }

  @Test
  void countsTheTimeLeftFromBeforeTheStoreWasAsked() {
    ReplayCache cache = new ReplayCache(10_000);
    cache.keep(World.operation("key", "pay"), answer(0), EXPIRY, 5_000_000);
    assertThat(cache.find(World.operation("key", "pay").key(), 1_004_999_999L)).isPresent();
    assertThat(cache.find(World.operation("key", "pay").key(), 1_005_000_000L)).isEmpty();
  }
}
