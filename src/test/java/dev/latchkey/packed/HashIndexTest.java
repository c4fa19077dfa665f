package dev.latchkey.packed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class HashIndexTest {

  /** Few hashes, so that they collide, many of them at the end of the table. */
  @Property
  void findsWhatWasAddedAndNotRemoved(
      @ForAll @Size(max = 400) List<@IntRange(min = -12, max = 20) Integer> steps) {
    HashIndex index = new HashIndex();
    Map<Integer, Integer> hashes = new HashMap<>();
    int numbers = 0;
    for (int step : steps) {
      int hash = Math.abs(step) % 2 == 0 ? Math.abs(step) : -Math.abs(step);
      if (step >= 0) {
        index.add(hash, numbers);
        hashes.put(numbers++, hash);
      } else if (hashes.containsValue(hash)) {
        int at = index.first(hash);
        hashes.remove(index.number(at));
        index.remove(at);
      }
    }
    for (int hash = -21; hash <= 21; hash++) {
      assertThat(found(index, hash)).isEqualTo(numbersOf(hashes, hash));
    }
  }

  @Property
  void anEntryGoesOverToAnotherRecord(@ForAll @IntRange(min = 5, max = 1_000) int number) {
    HashIndex index = new HashIndex();
    index.add(7, 3);
    index.add(7, 4);
    index.replace(index.first(7), number);

    assertThat(found(index, 7)).containsExactlyInAnyOrder(number, 4);
  }

  private static Set<Integer> numbersOf(Map<Integer, Integer> hashes, int hash) {
    Set<Integer> numbers = new HashSet<>();
    hashes.forEach(
        (number, its) -> {
          if (its == hash) {
            numbers.add(number);
          }
        });
    return numbers;
  }

  private static Set<Integer> found(HashIndex index, int hash) {
    List<Integer> found = new ArrayList<>();
    for (int at = index.first(hash); at >= 0; at = index.next(at, hash)) {
      found.add(index.number(at));
    }
    assertThat(found).doesNotHaveDuplicates();
    return new HashSet<>(found);
  }
}
