package dev.latchkey.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class DueHeapTest {

  /**
   * A positive step adds a number that is due then; of the others every third takes out the one in
   * the middle, the rest the first.
   */
  @Property
  void givesNumbersInTheOrderInWhichTheyAreDue(
      @ForAll @Size(max = 300) List<@IntRange(min = -40, max = 60) Integer> steps) {
    DueHeap heap = new DueHeap();
    Map<Integer, Long> expected = new HashMap<>();
    int numbers = 0;
    for (int step : steps) {
      if (step > 0) {
        heap.add(numbers, step);
        expected.put(numbers++, (long) step);
      } else if (!expected.isEmpty() && step % 3 == 0) {
        int gone = new ArrayList<>(expected.keySet()).get(expected.size() / 2);
        heap.remove(gone);
        expected.remove(gone);
      } else if (!expected.isEmpty()) {
        takeFirst(heap, expected);
      }
      assertThat(heap.isEmpty()).isEqualTo(expected.isEmpty());
    }
    while (!expected.isEmpty()) {
      takeFirst(heap, expected);
    }
    assertThat(heap.isEmpty()).isTrue();
  }

  private static void takeFirst(DueHeap heap, Map<Integer, Long> expected) {
    long least = expected.values().stream().min(Comparator.naturalOrder()).orElseThrow();
    assertThat(heap.firstDueMillis()).isEqualTo(least);
    assertThat(expected.remove(heap.poll())).isEqualTo(least);
  }
}
