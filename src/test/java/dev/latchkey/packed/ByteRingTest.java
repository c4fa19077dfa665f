package dev.latchkey.packed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class ByteRingTest {

  private static final int MAX_BYTES = 1 << 16;

  private final Packer packer = new Packer();

  /** Its owner drops the eldest whenever it is full, and forgets others as it likes. */
  @Property(tries = 200)
  void recordsStayAsTheyWereUntilTheyAreDroppedEldestFirst(@ForAll @LongRange(min = 0) long seed) {
    Random random = new Random(seed);
    ByteRing ring = new ByteRing(MAX_BYTES);
    Map<Integer, byte[]> model = new LinkedHashMap<>();
    for (int age = 0; age < 500; age++) {
      byte[] record = new byte[random.nextInt(20) == 0 ? random.nextInt(6_000) : 200];
      random.nextBytes(record);
      int number = add(ring, record, age);
      assertThat(model.put(number, record)).isNull();
      while (ring.bytes() > MAX_BYTES) {
        dropEldest(ring, model);
      }
      if (random.nextInt(3) == 0 && !model.isEmpty()) {
        List<Integer> numbers = new ArrayList<>(model.keySet());
        int forgotten = numbers.get(random.nextInt(numbers.size()));
        ring.forget(forgotten);
        model.remove(forgotten);
      }
      assertThat(ring.isEmpty()).isEqualTo(model.isEmpty());
      model.forEach((at, bytes) -> assertThat(read(ring, at, bytes.length)).isEqualTo(bytes));
    }
  }

  /** What is dropped is the first of what is there, and some that follow it at once. */
  private static void dropEldest(ByteRing ring, Map<Integer, byte[]> model) {
    List<Integer> dropped = new ArrayList<>();
    ring.dropEldest(dropped::add);
    dropped.retainAll(model.keySet());
    List<Integer> eldest = new ArrayList<>(model.keySet()).subList(0, dropped.size());
    assertThat(dropped).isNotEmpty().isEqualTo(eldest);
    model.keySet().removeAll(dropped);
  }

  @Test
  void takesNoMoreRoomThanTheRecordsAndOneArray() {
    ByteRing ring = new ByteRing(MAX_BYTES);
    for (int age = 0; age < 100; age++) {
      add(ring, new byte[100], age);
    }

    assertThat(ring.bytes()).isBetween(100 * 100L, 100 * 112L + 2 * MAX_BYTES / 32);
  }

  @Test
  void roomOfWhatIsForgottenIsGivenUpWithItsArray() {
    ByteRing ring = new ByteRing(MAX_BYTES);
    List<Integer> numbers = new ArrayList<>();
    for (int age = 0; age < 100; age++) {
      numbers.add(add(ring, new byte[100], age));
    }

    numbers.forEach(ring::forget);

    assertThat(ring.isEmpty()).isTrue();
    assertThat(ring.bytes()).isZero();
  }

  @Test
  void knowsTheAgeOfTheEldest() {
    ByteRing ring = new ByteRing(0);
    int first = add(ring, new byte[10], 7);
    add(ring, new byte[10], 9);
    assertThat(ring.eldestAge()).isEqualTo(7);

    ring.forget(first);

    assertThat(ring.eldestAge()).isEqualTo(9);
  }

  private int add(ByteRing ring, byte[] record, long age) {
    packer.clear();
    packer.raw(record, 0, record.length);
    return ring.add(packer, age);
  }

  private static byte[] read(ByteRing ring, int number, int length) {
    int start = ring.start(number);
    return Arrays.copyOfRange(ring.array(number), start, start + length);
  }
}
