package dev.latchkey.store.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.idempotency.spi.ScopedKey;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class DueHeapTest {

  /** A positive number adds a key that is due then, another takes the first one out. */
  @Property
  void givesKeysInTheOrderInWhichTheyAreDue(
      @ForAll @Size(max = 200) List<@IntRange(min = -40, max = 60) Integer> steps) {
    DueHeap heap = new DueHeap();
    PriorityQueue<Long> expected = new PriorityQueue<>();
    for (int step : steps) {
      if (step > 0) {
        heap.add(key(step), step);
        expected.add((long) step);
      } else if (!expected.isEmpty()) {
        long first = expected.remove();
        assertThat(heap.firstDueMillis()).isEqualTo(first);
        assertThat(heap.poll()).isEqualTo(key(first));
      }
      assertThat(heap.isEmpty()).isEqualTo(expected.isEmpty());
    }
    List<ScopedKey> rest = new ArrayList<>();
    while (!heap.isEmpty()) {
      rest.add(heap.poll());
    }
    assertThat(rest).containsExactlyElementsOf(expected.stream().sorted().map(this::key).toList());
  }

  private ScopedKey key(long due) {
    return new ScopedKey("acme", "POST /", "due-" + due);
  }
}
