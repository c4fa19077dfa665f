package dev.latchkey.idempotency.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScopedKeyTest {

  @Test
  void everyPartTellsKeysApart() {
    ScopedKey key = new ScopedKey("a", "b", "c");

    assertThat(key).isEqualTo(new ScopedKey("a", "b", "c"));
    assertThat(key).hasSameHashCodeAs(new ScopedKey("a", "b", "c"));
    assertThat(key).isNotEqualTo(new ScopedKey("x", "b", "c"));
    assertThat(key).isNotEqualTo(new ScopedKey("a", "x", "c"));
    assertThat(key).isNotEqualTo(new ScopedKey("a", "b", "x"));
  }

  /** Clients count: a hash made of their keys' own would put hundreds of them into one bucket. */
  @Test
  void keysThatCountUpAreSpreadOverATable() {
    int buckets = 1 << 17;
    Map<Integer, Integer> load = new HashMap<>();
    for (int i = 0; i < buckets; i++) {
      int hash = new ScopedKey("acme", "POST /", "order-%010d".formatted(i)).hashCode();
      load.merge((hash ^ (hash >>> 16)) & (buckets - 1), 1, Integer::sum);
    }
    int fullest = load.values().stream().mapToInt(it -> it).max().orElseThrow();

    // By chance the fullest of so many would hold nine or so.
    assertThat(fullest).isLessThan(20);
  }
}
