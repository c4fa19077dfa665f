package dev.latchkey.packed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class RecordLogTest {

  private final RecordLog log = new RecordLog();
  private final Packer packer = new Packer();
  private final Map<Integer, byte[]> expected = new HashMap<>();

  /** Whatever is added, replaced and removed, each record that is left is as it was written. */
  @Property(tries = 60)
  void keepsWhatItWasGiven(@ForAll long seed, @ForAll boolean growing) {
    Random random = new Random(seed);
    for (int i = 0; i < 4_000; i++) {
      List<Integer> numbers = new ArrayList<>(expected.keySet());
      int what = random.nextInt(growing ? 5 : 2);
      if (numbers.isEmpty() || what > 1) {
        byte[] bytes = some(random);
        expected.put(log.add(written(bytes)), bytes);
      } else {
        int number = numbers.get(random.nextInt(numbers.size()));
        if (what == 0) {
          log.remove(number);
          expected.remove(number);
        } else {
          byte[] bytes = some(random);
          log.replace(number, written(bytes));
          expected.put(number, bytes);
        }
      }
    }
    expected.forEach((number, bytes) -> assertThat(read(number)).isEqualTo(bytes));
    assertThat(log.keptBytes()).isLessThan(bound());
  }

  @Test
  void numbersCountUpWhereNothingIsRemoved() {
    for (int i = 0; i < 1_000; i++) {
      assertThat(log.add(written(new byte[i]))).isEqualTo(i);
      log.replace(i / 2, written(new byte[100]));
    }
  }

  @Test
  void theEldestThirdOfManyIsGivenBack() {
    for (int i = 0; i < 30_000; i++) {
      log.add(written(new byte[500]));
    }
    long full = log.keptBytes();
    for (int i = 0; i < 10_000; i++) {
      log.remove(i);
    }
    assertThat(log.keptBytes()).isLessThan(full * 3 / 4 + (1 << 20));
    for (int i = 10_000; i < 30_000; i++) {
      log.remove(i);
    }
    assertThat(log.keptBytes()).isLessThan(2 << 20);
  }

  /** With its header an array of a power of two would take one region more, or a whole one. */
  @Test
  void arraysLeaveRoomForTheirHeader() {
    for (int i = 0; i < 20_000; i++) {
      int length = log.array(log.add(written(new byte[500]))).length;
      assertThat(Integer.bitCount(length + 32)).as("%d bytes", length).isEqualTo(1);
    }
  }

  /** The same payment changed for ever takes no more than a payment. */
  @Test
  void replacingForEverTakesNoMoreRoom() {
    int number = log.add(written(new byte[300]));
    for (int i = 0; i < 200_000; i++) {
      log.replace(number, written(new byte[300 + i % 50]));
    }
    assertThat(log.keptBytes()).isLessThan(1 << 17);
    assertThat(log.length(number)).isEqualTo(300 + 199_999 % 50);
  }

  private long bound() {
    long alive = 0;
    for (byte[] bytes : expected.values()) {
      alive += bytes.length + 8;
    }
    // A third that is dead, an eighth at the ends of arrays, one or two arrays under way.
    return (long) (alive * 4.0 / 3 * 8 / 7) + (1 << 16);
  }

  private byte[] read(int number) {
    int start = log.start(number);
    return Arrays.copyOfRange(log.array(number), start, start + log.length(number));
  }

  private Packer written(byte[] bytes) {
    packer.raw(bytes, 0, bytes.length);
    return packer;
  }

  private static byte[] some(Random random) {
    int most = random.nextInt(20) == 0 ? 5_000 : 900;
    byte[] bytes = new byte[random.nextInt(most)];
    random.nextBytes(bytes);
    return bytes;
  }
}
