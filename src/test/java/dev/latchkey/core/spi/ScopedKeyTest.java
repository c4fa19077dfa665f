package dev.latchkey.core.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Collisions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScopedKeyTest {

  @Test
  void everyPartDistinguishesKeys() {
    ScopedKey key = new ScopedKey("a", "b", "c");

    assertThat(key).isEqualTo(new ScopedKey("a", "b", "c"));
    assertThat(key).hasSameHashCodeAs(new ScopedKey("a", "b", "c"));
    assertThat(key).isNotEqualTo(new ScopedKey("x", "b", "c"));
    assertThat(key).isNotEqualTo(new ScopedKey("a", "x", "c"));
    assertThat(key).isNotEqualTo(new ScopedKey("a", "b", "x"));
  }

  /** Clients count: a hash made of their keys' own would put hundreds of them into one bucket. */
  @Test
  void sequentialKeysAreSpreadOverATable() {
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

  @Test
  void keysWithCollidingHashesStayFast() {
    double cost =
        Collisions.cost(
            texts -> {
              Map<ScopedKey, Integer> table = new HashMap<>();
              texts.forEach(it -> table.put(new ScopedKey("acme", "POST /", it), 1));
            });

    assertThat(cost).isLessThan(100);
  }

  @Test
  void keysThatDifferInAnyPartAreOrdered() {
    ScopedKey key = new ScopedKey("a", "b", "c");

    assertThat(key).isEqualByComparingTo(new ScopedKey("a", "b", "c"));
    for (ScopedKey later :
        List.of(
            new ScopedKey("x", "b", "c"),
            new ScopedKey("a", "x", "c"),
            new ScopedKey("a", "b", "x"))) {
      assertThat(key).isLessThan(later);
      assertThat(later).isGreaterThan(key);
    }
  }
}
